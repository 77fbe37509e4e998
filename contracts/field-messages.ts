import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** Fields whose names are no words for what they hold. */
const called: Readonly<Record<string, string>> = { to: 'recipient number', from: 'sender number', when: 'time' };

/** The name of a field in a sentence: `phone_number` is a phone number, `projectId` a project. */
function nameOf({ path = [] }: Issue): string {
  const field = path.findLast((key) => typeof key === 'string') ?? 'value';
  const words = field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_\-.]+/g, ' ')
    .toLowerCase()
    .trim();
  return called[words] ?? (words.replace(/ ids?$/, '') || 'value');
}

const isPlural = (name: string) => /[^su]s$/.test(name);
const withArticle = (name: string) => (isPlural(name) ? name : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`);
const count = (number: unknown, unit: string) => `${String(number)} ${unit}${Number(number) === 1 ? '' : 's'}`;

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const units: Readonly<Record<string, string>> = { string: ' character', array: ' entry', set: ' entry' };

function limit(issue: Issue & { origin?: string }, bound: unknown, words: 'at most' | 'at least'): string {
  const unit = units[issue.origin ?? '']?.trim();
  if (unit === undefined) return `Use ${words} ${String(bound)}`;
  return `Use ${words} ${count(bound, unit).replace('entrys', 'entries')}`;
}

/** The message for people where a contract has no words of its own: never the validator's. */
export function fieldMessage(issue: Issue): string {
  const name = nameOf(issue);
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return `Enter ${withArticle(name)}`;
      return `The ${name} must be ${kinds[issue.expected] ?? 'of another type'}`;
    case 'invalid_value':
      return `The ${name} must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return limit(issue, issue.maximum, 'at most');
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? `Enter ${withArticle(name)}`
        : limit(issue, issue.minimum, 'at least');
    default:
      return `The ${name} is not valid`;
  }
}
