import { describe, expect, test } from 'vitest';
import type { PhoneStatus } from '#contracts/phone-numbers.ts';
import { projectState } from './project-status.ts';
import type { ProjectState, StatusOfPhone } from './project-status.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

const created: ProjectState = { status: 'created', connectedAt: null };

/** A phone that has had its status since `minute`. */
function phone(status: PhoneStatus, minute: number, wasConnected = status === 'connected'): StatusOfPhone {
  return {
    status,
    statusChangedAt: at(minute),
    connectedAt: status === 'connected' ? at(minute) : null,
    wasConnected,
  };
}

describe('the status of a project', () => {
  test.each<[string, StatusOfPhone[], ProjectState['status']]>([
    ['no phone', [], 'created'],
    ['a phone that was never linked', [phone('created', 1)], 'created'],
    ['a connected phone', [phone('connected', 1)], 'connected'],
    [
      'one connected phone among others',
      [phone('auth_failed', 3), phone('connected', 1), phone('banned', 2)],
      'connected',
    ],
    ['a refused phone', [phone('auth_failed', 1)], 'auth_failed'],
    ['a banned phone', [phone('banned', 1, true)], 'auth_failed'],
    ['the last change a refusal', [phone('disconnected', 1, true), phone('auth_failed', 2)], 'auth_failed'],
    ['the last change a disconnection', [phone('disconnected', 2, true), phone('auth_failed', 1)], 'disconnected'],
    [
      'a new phone beside one that was connected',
      [phone('disconnected', 1, true), phone('created', 2)],
      'disconnected',
    ],
    ['a new phone after a refusal', [phone('auth_failed', 1), phone('created', 2)], 'created'],
    [
      'a refused phone that had been connected, then a new one',
      [phone('auth_failed', 1, true), phone('created', 2)],
      'disconnected',
    ],
  ])('with %s', (_, phones, status) => {
    expect(projectState(phones, created).status).toBe(status);
  });
});

describe('the time since when a project is connected', () => {
  test('is when its first connected phone connected', () => {
    expect(projectState([phone('connected', 5), phone('connected', 3)], created).connectedAt).toEqual(at(3));
  });

  test('stays while any phone is connected', () => {
    const before: ProjectState = { status: 'connected', connectedAt: at(1) };
    expect(projectState([phone('disconnected', 9, true), phone('connected', 5)], before).connectedAt).toEqual(at(1));
  });

  test('is none without a connected phone', () => {
    const before: ProjectState = { status: 'connected', connectedAt: at(1) };
    expect(projectState([phone('disconnected', 9, true)], before).connectedAt).toBeNull();
  });
});
