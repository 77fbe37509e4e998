import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './index.ts';

/** The validator's own words, which tell a person nothing. */
const validatorsWords = /expected|received|invalid input|invalid option|regex|pattern|too (?:big|small)|undefined|NaN/i;

const wrong: readonly unknown[] = [
  undefined,
  null,
  7.5,
  -1,
  1e30,
  'x',
  '',
  'x'.repeat(100_000),
  true,
  [],
  [1],
  {},
  { a: 1 },
];

/** No words for what is asked for: 'Enter a to', 'Enter a messages'. */
const noWords = /^Enter an? (?:to|from|when|by|\w*[^su]s)$/;

/** `message.received` is a value that may be given, not the validator's word. */
const eventNames = /\b[a-z_]+\.[a-z_]+\b/g;

const shapeOf = (schema: z.ZodType | undefined) =>
  Object.keys((schema as { shape?: Record<string, unknown> } | undefined)?.shape ?? {});

const cases = endpoints.flatMap((endpoint: Endpoint) =>
  (['body', 'query', 'headers'] as const).flatMap((part) => {
    const schema = endpoint[part];
    return shapeOf(schema).map((field): [string, z.ZodType, string] => [
      `${endpoint.method} ${endpoint.path} ${part} ${field}`,
      schema as z.ZodType,
      field,
    ]);
  }),
);

test.each(cases)('%s is refused in words for people', (_name, schema, field) => {
  for (const value of wrong) {
    for (const issue of schema.safeParse({ [field]: value }).error?.issues ?? []) {
      expect(issue.message.replaceAll(eventNames, '')).not.toMatch(validatorsWords);
      expect(issue.message).not.toMatch(noWords);
      expect(issue.message).not.toBe('');
    }
  }
});
