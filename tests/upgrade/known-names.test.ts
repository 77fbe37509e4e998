import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contracts/endpoint.ts';
import { endpoints } from '#contracts/index.ts';
import { streamEvents } from '#contracts/live.ts';
import { unknownNames } from '#contracts/unknown-names.ts';
import { releaseBefore, unpackRelease } from './release.ts';

type Schema = {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
};
type Accepted = { method: string; path: string; isHook: boolean; query: Schema | null; body: Schema | null };

/** Prints the input of each endpoint of a release as JSON Schema, in the release's own directory. */
const print = `
  import { z } from 'zod';
  import { endpoints } from './contracts/index.ts';
  const schemaOf = (schema) => schema ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : null;
  console.log(JSON.stringify(endpoints.map(({ method, path, query, body }) => ({
    method, path, query: schemaOf(query), body: schemaOf(body),
    isHook: path.endsWith('/webhook') || path.startsWith('/hooks/'),
  }))));`;

let accepted: Accepted[];

beforeAll(async () => {
  const release = await unpackRelease(releaseBefore);
  try {
    const args = ['--input-type=module', '-e', print];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: release.directory,
      maxBuffer: 2 ** 26,
    });
    accepted = JSON.parse(stdout) as Accepted[];
  } finally {
    await release.remove();
  }
});

/** Values that together hold every name of a schema; only the names matter. */
function samplesOf(schema: Schema, root: Schema, depth = 0): unknown[] {
  if (depth > 8) return [];
  const named = schema.$ref === undefined ? undefined : root.$defs?.[schema.$ref.split('/').at(-1) ?? ''];
  if (named) return samplesOf(named, root, depth + 1);
  const inner = (one: Schema) => samplesOf(one, root, depth + 1);
  const fromFields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    [...inner(field), null].map((value) => ({ [name]: value })),
  );
  const fromItems = schema.items ? inner(schema.items).map((item) => [item]) : [];
  const fromVariants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(inner);
  return [...fromFields, ...fromItems, ...fromVariants];
}

describe('every name that the last release takes is still known', () => {
  test.each(['query', 'body'] as const)('in the %s', (part) => {
    let count = 0;
    const refused = accepted.flatMap(({ method, path, isHook, [part]: schema }) => {
      if (schema === null || isHook) return [];
      // The list of events and the stream of live events share an address.
      const known: readonly Endpoint[] = [...endpoints, streamEvents];
      const today = known.filter((each) => each.method === method && each.path === path);
      const samples = samplesOf(schema, schema);
      count += samples.length;
      const errors = samples.flatMap((sample) => {
        const unknown = today.map((each) => unknownNames(sample, { schema: each[part], most: 5 }));
        return unknown.some(({ length }) => length === 0) ? [] : (unknown[0] ?? []);
      });
      return errors.map(({ path: name }) => `${method} ${path}: ${name}`);
    });
    expect(refused).toEqual([]);
    expect(count).toBeGreaterThan(part === 'body' ? 300 : 100);
  });
});
