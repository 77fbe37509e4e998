import { expect, test } from 'vitest';
import { samplePhone, sampleProject } from '#web/testing/samples.ts';
import { firstSteps, type FirstRunFacts } from './first-steps.ts';

const nothing = { sent: 0, delivered: 0, failed: 0, received: 0 };
const dateOf = (index: number) => `2026-11-${String(index + 8).padStart(2, '0')}`;
const idle = Array.from({ length: 14 }, (_, index) => ({ ...nothing, date: dateOf(index) }));
const sentToday = [...idle.slice(0, 13), { ...nothing, date: dateOf(13), sent: 1 }];
const failedToday = [...idle.slice(0, 13), { ...nothing, date: dateOf(13), failed: 1, received: 3 }];

const young = { created_at: '2026-11-20T10:00:00.000Z' } as const;
const created = sampleProject({ ...young, status: 'created', is_connected: false });
const connected = sampleProject(young);
const disconnected = sampleProject({ ...young, status: 'disconnected', is_connected: false });
const old = sampleProject({ status: 'auth_failed', is_connected: false });
const usedPhone = samplePhone({ message_count: 12 });

test.each<[string, Partial<FirstRunFacts>, string]>([
  ['a new account', {}, 'plan'],
  ['with a project', { project: created, phones: [samplePhone()] }, 'plan project'],
  ['with a phone that connected', { project: connected }, 'plan project phone'],
  ['with a phone that was connected', { project: disconnected }, 'plan project phone'],
  ['whose first message failed', { project: connected, phones: [usedPhone], days: failedToday }, 'plan project phone'],
  ['whose first message went out', { project: connected, days: sentToday }, 'plan project phone message'],
  ['that sent long ago', { project: old, phones: [usedPhone] }, 'plan project phone message'],
  ['that is old and has not sent yet', { project: old, phones: [samplePhone()] }, 'plan project'],
])('%s has done: ', (_name, facts, done) => {
  const steps = firstSteps({ project: undefined, phones: [], days: idle, ...facts });
  expect(steps.map(({ name }) => name)).toEqual(['plan', 'project', 'phone', 'message']);
  expect(
    steps
      .filter(({ isDone }) => isDone)
      .map(({ name }) => name)
      .join(' '),
  ).toBe(done);
});
