import { expect, test } from 'vitest';
import { newFlowFields } from './builder/flow-form.ts';
import { flowSentence } from './flow-sentence.ts';

const base = newFlowFields(3);
const email = { fieldPath: 'email', operator: 'exists', value: '' } as const;
const ending = { fieldPath: 'custom_fields.trial_ends_at', operator: 'before_days_ago', value: '3' } as const;

test('a new flow reads as a sentence', () => {
  expect(flowSentence(base)).toBe(
    'When email equals …, and updated_at is within the last 24 hours, send the message at most once in a lifetime to each profile.',
  );
});

test('fields are called as people call them', () => {
  const nameOf = (path: string) => (path === 'custom_fields.trial_ends_at' ? 'Trial ends' : undefined);
  expect(flowSentence({ ...base, conditions: [email, ending] }, nameOf)).toContain(
    'When email exists and Trial ends is before 3 days ago, and updated_at is within',
  );
});

test.each([
  [{ conditions: [email, ending] }, 'When email exists and custom_fields.trial_ends_at is before 3 days ago, and'],
  [{ conditions: [{ ...email, fieldPath: ' ' }] }, 'When … exists, and'],
  [{ duration: { unit: 'days', amount: '1', dateFieldPath: 'created_at' } }, 'and created_at is within the last day,'],
  [{ duration: { unit: 'minutes', amount: '', dateFieldPath: '' } }, 'and … is within the last … minutes,'],
  [{ frequency: { type: 'once_per_hours', value: '12' } }, 'at most once per 12 hours to'],
  [{ frequency: { type: 'once_per_days', value: '1' } }, 'at most once per day to'],
  [{ frequency: { type: 'once_per_days', value: '' } }, 'at most once per … days to'],
] as const)('%j reads “… %s …”', (changes, part) => {
  expect(flowSentence({ ...base, ...changes } as typeof base)).toContain(part);
});
