import { testDocument } from './openapi-answers.ts';
import type { Random } from './random.ts';

type Schema = {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};

const odd: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  '😀',
  null,
  -1,
  0,
  1.5,
  1e21,
  true,
  [],
  {},
  '1'.repeat(500),
  '\\',
  '%',
  "'",
];
const texts = [
  '14155550132',
  'Ada',
  'ada@example.com',
  'custom_fields.city',
  'Europe/Lisbon',
  'https://shop.example/hook',
];

/** A value that mostly fits the schema, and sometimes does not. */
export function valueFor(schema: object, random: Random): unknown {
  if (random.chance(0.03)) return random.pick(odd);
  const { $ref, anyOf, oneOf, allOf, enum: choices, type, ...rest } = schema as Schema;
  if ($ref !== undefined) {
    return valueFor(testDocument().components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, random);
  }
  if ('const' in rest) return rest.const;
  if (choices) return random.pick(choices);
  const options = anyOf ?? oneOf ?? allOf;
  if (options) return valueFor(random.pick(options), random);
  const kind = Array.isArray(type) ? random.pick(type) : type;
  switch (kind) {
    case 'object':
      return objectFor(rest, random);
    case 'array':
      return Array.from({ length: random.below(3) }, () => valueFor(rest.items ?? {}, random));
    case 'integer':
    case 'number':
      return integerFor(rest, random);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'string':
      return textFor(rest, random);
    default:
      return random.pick(odd);
  }
}

function objectFor({ properties = {}, required = [] }: Schema, random: Random): Record<string, unknown> {
  const fields = Object.entries(properties).filter(([name]) => random.chance(required.includes(name) ? 0.97 : 0.4));
  return Object.fromEntries(fields.map(([name, property]) => [name, valueFor(property, random)]));
}

function integerFor({ minimum = 0, maximum = 100 }: Schema, random: Random): number {
  const from = Math.max(minimum, -1000);
  return from + random.below(Math.max(1, Math.min(maximum - from + 1, 100)));
}

function textFor({ format, minLength = 0, maxLength = 40 }: Schema, random: Random): string {
  if (format === 'date-time') return new Date(Date.now() + (random.below(200) - 100) * 3_600_000).toISOString();
  const text = random.pick(texts);
  return text.padEnd(minLength, 'x').slice(0, Math.max(maxLength, 1));
}
