import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { inProject, seedProject } from './seeded-project.ts';

/** Text that does not compress to less than this. */
const kilobytes = (count: number) => `//${randomBytes(count * 1000).toString('base64')}`;

function checkBudget(files: Record<string, string>, manifest?: object): { status: number | null; output: string } {
  const built = Object.entries(files).map(([file, source]) => [`dist/web/${file}`, source] as const);
  const project = seedProject({
    ...Object.fromEntries(built),
    ...(manifest && { 'dist/web/.vite/manifest.json': JSON.stringify(manifest) }),
  });
  onTestFinished(() => project.remove());
  return project.run(process.execPath, inProject('scripts/check-budget.ts'));
}

const entry = { file: 'assets/app.js', isEntry: true, imports: ['shared.js'], dynamicImports: ['page.tsx'] };
const manifest = {
  'index.html': entry,
  'shared.js': { file: 'assets/shared.js' },
  'page.tsx': { file: 'assets/page.js', imports: ['shared.js'] },
};

test.each([
  ['an entry within the budget, a page beyond it', 60, 60, 200, 0],
  ['an entry over the budget', 140, 1, 1, 1],
  ['an entry over the budget with what it imports', 70, 70, 1, 1],
])('%s', (_, app, shared, page, status) => {
  const files = {
    'assets/app.js': kilobytes(app),
    'assets/shared.js': kilobytes(shared),
    'assets/page.js': kilobytes(page),
  };
  const report = checkBudget(files, manifest);
  expect(report.output).toMatch(/The entry is [\d.]+ kB/);
  expect(report.status).toBe(status);
});

test.each([
  ['no build', {}, undefined],
  ['a build without an entry', {}, { 'page.tsx': { file: 'assets/page.js' } }],
  ['a build that lacks a file', { 'assets/app.js': '' }, manifest],
  ['an import that is not in the manifest', { 'assets/app.js': '' }, { 'index.html': entry }],
])('%s does not pass', (_, files, seeded) => {
  expect(checkBudget(files, seeded).status).toBe(1);
});
