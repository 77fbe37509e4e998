import { expect, test } from 'vitest';
import { differencesOf, fieldWords, readableValue } from './draft-content.ts';

const opened = {
  name: 'Come back',
  action: { projectId: 1, message: 'Hi', media: null, kind: 'text' },
  duration: { unit: 'hours', amount: '24' },
  exclude_segment_ids: [],
};

test('only the parts that differ are told, over how the form opened', () => {
  const here = { action: { ...opened.action, message: 'Hi there' }, name: 'Back' };
  const there = { action: { ...opened.action, projectId: 2 }, duration: { unit: 'days', amount: '24' } };
  expect(differencesOf(opened, here, there)).toEqual([
    { path: 'name', here: 'Back', there: 'Come back' },
    { path: 'action.projectId', here: 1, there: 2 },
    { path: 'action.message', here: 'Hi there', there: 'Hi' },
    { path: 'duration.unit', here: 'hours', there: 'days' },
  ]);
});

test('a file is one value, read by its name', () => {
  const file = (id: string, file_name: string) => ({ action: { ...opened.action, media: { id, file_name, size: 9 } } });
  const [difference, ...others] = differencesOf(opened, file('a', 'spring.jpg'), file('b', 'autumn.jpg'));
  expect(others).toEqual([]);
  expect([difference?.here, difference?.there].map(readableValue)).toEqual(['spring.jpg', 'autumn.jpg']);
});

test.each([
  ['segment_id', 'Segment'],
  ['action.projectId', 'Project'],
  ['exclude_segment_ids', 'Leave out'],
  ['duration.dateFieldPath', 'Duration date field path'],
])('the field %s is called %s', (path, words) => expect(fieldWords(path)).toBe(words));
