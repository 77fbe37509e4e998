import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A search that folds case alone: `sao` would not find `São`. `hasPart` of both sides and `hasWords` fold accents, too. */
const unfolded = /toLowerCase\(\)\s*\.includes\(|\bilike\b|(?:position|strpos)\([^)]*\blower\(/;

/** Not searches: reasons in the words of Meta, and parts that only developers see. */
const others = new Set(['web/features/whatsapp-templates/template-state.tsx', 'web/dev/dialog-parts.tsx']);

test('each search finds what is written with accents', () => {
  const paths = globSync('{contracts,server,web}/**/*.{ts,tsx}').filter(
    (path) => !/\.test\.tsx?$/.test(path) && !others.has(path),
  );
  expect(paths.length).toBeGreaterThan(1000);
  const found = paths.filter((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .some((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line) && unfolded.test(line)),
  );
  expect(found).toEqual([]);
  for (const seeded of [
    'name.toLowerCase().includes(wanted)',
    'name ilike ${part}',
    'position(${part} in lower(path)) > 0',
  ])
    expect(unfolded.test(seeded)).toBe(true);
});
