import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const answers = new Map<string, boolean>();

/**
 * Whether a test file works on the shared test database: it asks for the server itself, or imports a file of tests that
 * does. Paths are relative to the root of the project.
 */
export function needsDatabase(path: string): boolean {
  const known = answers.get(path);
  if (known !== undefined) return known;
  // A circle of imports ends here.
  answers.set(path, false);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const isNeeded = /inject\('testServer'\)/.test(source) || importedTestFiles(path, source).some(needsDatabase);
  answers.set(path, isNeeded);
  return isNeeded;
}

/** Imports of `#tests/…` and of neighbours; the product's own files never ask for the test server. */
function importedTestFiles(path: string, source: string): string[] {
  const specifiers = [...source.matchAll(/(?:from|import)\s+'((?:#tests\/|\.)[^']+)'/g)].flatMap(
    ([, name]) => name ?? [],
  );
  return specifiers.map((name) => (name.startsWith('#') ? name.slice(1) : join(dirname(path), name)));
}
