import { expect, test } from 'vitest';
import { actsOf, targetTypes } from './audit-acts.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './index.ts';

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** The endpoints that change something and name no act. */
const unnamed = (list: readonly Endpoint[]) =>
  list.filter(({ method, audit }) => method !== 'GET' && audit === undefined).map(nameOf);

test('every endpoint that changes something names its act, or says that it changes nothing', () => {
  expect(unnamed(endpoints)).toEqual([]);
});

test('an endpoint without an act is found', () => {
  const [first] = endpoints.filter(({ method }) => method === 'DELETE');
  if (!first) throw new Error('There is no such endpoint');
  const { audit: _, ...without } = first;
  expect(unnamed([without])).toEqual([nameOf(first)]);
});

test.each([...new Set(endpoints.flatMap(({ audit }: Endpoint) => actsOf(audit)))])(
  '%s is a type of things and the past tense of a verb',
  (act) => {
    const [type, done, ...rest] = act.split('.');
    expect(targetTypes).toContain(type);
    expect([done, rest]).toEqual([expect.stringMatching(/^[a-z_]+$/), []]);
  },
);
