import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MessageType } from '#contracts/message-content.ts';

const root = new URL('..', import.meta.url).pathname;
const connector = 'server/connectors/messaging/whatsapp';

const rows = readFileSync(join(root, 'docs/kinds-in-and-out.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| .+ \| `\w+` \|/.test(line))
  .slice(1)
  .map((line) => line.slice(2, -2).split(' | '));

test('each type of message has a row in the table of kinds', () => {
  const types = rows.map(([, type]) => type?.replaceAll('`', ''));
  expect(MessageType.options.filter((type) => !types.includes(type))).toEqual([]);
});

/** Titles stand in quotes of their own, or are a case of a table. */
test.for(rows.flatMap(([kind, , incoming, outgoing]) => [incoming, outgoing].map((named) => [kind, named] as const)))(
  '%s has its test: %s',
  ([, named = '']) => {
    if (named === '—') return;
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(named) ?? [];
    const path = join(root, file.startsWith('tests/') ? '' : connector, file);
    expect(existsSync(path), path).toBe(true);
    const source = readFileSync(path, 'utf8');
    expect(
      [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted)),
      named,
    ).toBe(true);
  },
);

test('no kind goes neither way', () => {
  expect(rows.filter(([, , incoming, outgoing]) => incoming === '—' && outgoing === '—')).toEqual([]);
});
