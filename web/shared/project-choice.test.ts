import { expect, test } from 'vitest';
import type { Project, Sending } from '#contracts/projects.ts';
import { sampleProject } from '#web/testing/samples.ts';
import { projectChoices, projectHint, waitingText } from './project-choice.ts';
import { formatDateTime } from './time-format.ts';

const until = '2026-11-23T00:00:00.000Z';
const cannot = (changes: Partial<Sending>): Sending => ({
  can_send: false,
  connector: null,
  reason: 'phones_inactive',
  message: 'The connected phone numbers of this project are switched off',
  until: null,
  ...changes,
});
const away = sampleProject({ id: 1, name: 'Away', is_connected: false });
const stuck = sampleProject({ id: 2, name: 'Stuck', sending: cannot({}) });
const ready = sampleProject({ id: 3, name: 'Ready' });

test.each<[number | undefined, string[]]>([
  [undefined, ['Stuck (cannot send now)', 'Ready']],
  [1, ['Away (not connected)', 'Stuck (cannot send now)', 'Ready']],
])('with project %j chosen the choices are %j', (chosenId, labels) => {
  expect(projectChoices([away, stuck, ready], chosenId).map(({ label }) => label)).toEqual(labels);
});

test.each<[string, Project | undefined, string | undefined]>([
  ['none', undefined, undefined],
  ['one that can send', ready, undefined],
  ['one that is not connected, which says so itself', away, undefined],
  [
    'one whose phones are switched off',
    stuck,
    'The connected phone numbers of this project are switched off. Messages wait until it can send.',
  ],
  [
    'one at its maximum for today',
    { ...stuck, sending: cannot({ message: 'Enough for today.', until }) },
    `Enough for today. Messages wait until ${formatDateTime(until)}.`,
  ],
])('of %s it says %j', (_, project, text) => {
  expect(waitingText(project)).toBe(text);
});

test.each<[string, Project | undefined, string | undefined]>([
  ['no project', undefined, undefined],
  ['a project that is not connected', away, undefined],
  ['a project that waits', stuck, waitingText(stuck)],
  ['a project with its only phone connected', ready, undefined],
  ['a project with two', { ...ready, phone_count: 2, connected_phone_count: 2 }, '2 phones connected'],
  ['a project with one of three', { ...ready, phone_count: 3 }, '1 of 3 phones connected'],
])('under a choice of %s stands %j', (_, project, text) => {
  expect(projectHint(project)).toBe(text);
});
