import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { FailureCode } from '#contracts/failure-codes.ts';
import { documentedEndpoints, endpoints } from '#contracts/index.ts';
import { allCodes } from '#contracts/problem-codes.ts';
import { problemGuide } from '#contracts/problem-guide.ts';
import type { ProblemCode } from '#contracts/problem-guide.ts';
import { createProject } from '#contracts/projects.ts';
import { createApiClient } from './support/api-client.ts';
import { resolveResponse, testDocument } from './support/openapi-answers.ts';

/** A refusal that is made with a literal code: by a class of problems, by one that extends it, or as a plain problem. */
const made =
  /(?:new [A-Z]\w*Error|\bsuper|\bunready)\(\s*(?:\d{3},\s*)?'([a-z]+(?:_[a-z]+)*)',|\bcode = '([a-z_]+)', message =|\bcode: '([a-z_]+)', message:/g;

const sources = globSync('server/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
const thrown = sources.flatMap((path) =>
  Array.from(readFileSync(path, 'utf8').matchAll(made), ([, byClass, byDefault, plain]) => ({
    path,
    code: byClass ?? byDefault ?? plain ?? '',
  })),
);

test('every code that the server refuses with is declared in the contracts', () => {
  const declared = allCodes(endpoints);
  expect(new Set(thrown.map(({ code }) => code)).size).toBeGreaterThan(60);
  expect(thrown.filter(({ code }) => !declared.has(code))).toEqual([]);
});

test('every code of an endpoint is one that the server has', () => {
  const text = sources.map((path) => readFileSync(path, 'utf8')).join('');
  const failures: readonly string[] = FailureCode.options;
  const isKnown = (code: string) => failures.includes(code) || text.includes(`'${code}'`);
  expect([...allCodes(endpoints)].filter((code) => !isKnown(code))).toEqual([]);
});

test('every endpoint that takes an Idempotency-Key documents what the key is refused for', () => {
  const keyed = documentedEndpoints.filter(({ endpoint }) => endpoint.idempotency);
  expect(keyed.length).toBeGreaterThan(5);
  const { paths } = testDocument();
  for (const { endpoint } of keyed) {
    const conflict = paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.responses['409'];
    expect(JSON.stringify(conflict && resolveResponse(conflict).content)).toMatch(
      /"idempotency_conflict".*"idempotency_in_progress"/,
    );
  }
});

/** Refuses every request with a code. */
async function refusing(code: string, docs = `/docs/errors#${code}`): Promise<string> {
  const server = createServer((_, response) => response.writeHead(409).end(JSON.stringify({ code, docs })));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('whatever a test is about, a refusal with a code that the endpoint does not declare, or with another link, fails it', async () => {
  const refuse = async (code: string, docs?: string) =>
    createApiClient(await refusing(code, docs)).refuse(createProject, { body: { name: 'Shop' } });
  await expect(refuse('project_limit')).resolves.toMatchObject({ status: 409 });
  await expect(refuse('no_webhook_url')).rejects.toThrow('POST /api/projects refuses with no_webhook_url');
  await expect(refuse('project_limit', '/docs/errors#not_found')).rejects.toThrow('links /docs/errors#not_found');
});

test('a code is refused with the status that the guide says', () => {
  const byClass: Readonly<Record<string, number>> = {
    ConflictError: 409,
    ForbiddenError: 403,
    UnauthenticatedError: 401,
    TooManyRequestsError: 429,
  };
  const literal = /(?:new |extends )?(\w+Error)\(\s*(?:(\d{3}),\s*)?'([a-z_]+)'/g;
  const wrong = sources.flatMap((path) =>
    Array.from(readFileSync(path, 'utf8').matchAll(literal), ([, name = '', status, code = '']) => {
      const expected = problemGuide[code as ProblemCode]?.status;
      const actual = Number(status ?? byClass[name] ?? expected);
      return actual === expected ? [] : [`${path}: ${code} is ${actual}, the guide says ${expected}`];
    }).flat(),
  );
  expect(wrong).toEqual([]);
});
