import { expect, onTestFinished, test } from 'vitest';
import { inProject, seedProject } from './seeded-project.ts';

function lint(path: string, source: string): { status: number | null; output: string } {
  const project = seedProject({ [path]: source });
  onTestFinished(() => project.remove());
  return project.run(inProject('node_modules/.bin/oxlint'), '--format', 'unix', path);
}

test.each<[rule: string, path: string, source: string]>([
  ['no-explicit-any', 'server/a.ts', 'export const a: any = 1;\n'],
  ['no-floating-promises', 'server/a.ts', 'export function a() {\n  Promise.resolve(1);\n}\n'],
  ['no-misused-promises', 'server/a.ts', 'export const a = () => [1].forEach(async () => Promise.resolve());\n'],
  [
    'switch-exhaustiveness-check',
    'server/a.ts',
    `export function a(b: 'x' | 'y') {\n  switch (b) {\n    case 'x':\n  }\n}\n`,
  ],
  ['no-process-env', 'server/a.ts', 'export const a = process.env;\n'],
  ['no-restricted-imports', 'server/a.ts', `export { env } from 'node:process';\n`],
  ['no-console', 'server/a.ts', 'console.log(1);\n'],
  ['consistent-type-imports', 'server/a.ts', `import { Pool } from 'pg';\nexport type A = Pool;\n`],
  ['alt-text', 'web/a.tsx', 'export const A = () => <img src="a.png" />;\n'],
  ['label-has-associated-control', 'web/a.tsx', 'export const A = () => <label>Name</label>;\n'],
  [
    'rules-of-hooks',
    'web/a.tsx',
    `import { useId } from 'react';\nexport const A = (p: { b: boolean }) => p.b && useId();\n`,
  ],
  [
    'exhaustive-deps',
    'web/a.tsx',
    `import { useEffect } from 'react';\nexport const useA = (b: () => void) => useEffect(() => b(), []);\n`,
  ],
])('%s is enforced in %s', (rule, path, source) => {
  const { status, output } = lint(path, source);
  expect(output).toContain(`(${rule})`);
  expect(status).toBe(1);
});

test.each([
  ['server/config.ts', 'export const a = process.env;\n'],
  ['server/a.ts', 'export async function a(): Promise<void> {\n  await Promise.resolve();\n}\n'],
])('%s passes with %j', (path, source) => {
  expect(lint(path, source)).toMatchObject({ status: 0 });
});
