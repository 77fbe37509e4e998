import { execFile } from 'node:child_process';
import { cp, mkdtemp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDocument } from '../support/openapi-answers.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const programs = join(import.meta.dirname, 'programs');

let directory: string;

/** A program of a customer's, with the clients that two public generators make of the document. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dovepost-clients-'));
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  await mkdir(join(directory, 'hey'));
  const input = structuredClone(testDocument()) as unknown as OpenAPI3;
  await writeFile(join(directory, 'schema.ts'), astToString(await openapiTypescript(input)));
  await createClient({
    input: structuredClone(testDocument()) as never,
    output: { path: join(directory, 'hey'), postProcess: [] },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  // Text, as what they import is made here.
  for (const file of await readdir(programs)) {
    await cp(join(programs, file), join(directory, file.replace(/\.txt$/, '')));
  }
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
  };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'hey'] }));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

test('programs written with the generated clients compile', async () => {
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', directory]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
