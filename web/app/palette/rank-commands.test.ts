import { expect, test } from 'vitest';
import { rankCommands } from './rank-commands.ts';

const commands = [
  { id: 'dashboard', label: 'Dashboard', words: 'home' },
  { id: 'projects', label: 'Projects' },
  { id: 'new-project', label: 'New project', words: 'create add' },
  { id: 'bulk-send', label: 'Bulk send', words: 'csv file' },
  { id: 'profiles', label: 'Profiles', words: 'contacts people' },
  { id: 'automations', label: 'Automations', words: 'campaigns' },
  { id: 'sao', label: 'Loja São Paulo' },
];

test.each([
  ['', ['dashboard', 'projects', 'new-project', 'bulk-send', 'profiles', 'automations', 'sao']],
  ['pro', ['projects', 'profiles', 'new-project']],
  ['PROJECT', ['projects', 'new-project']],
  ['project new', ['new-project']],
  ['blks', ['bulk-send']],
  ['campaign', ['automations']],
  ['create project', ['new-project']],
  ['sao', ['sao']],
  ['são', ['sao']],
  ['bs', []],
  // From amid a word on.
  ['ulks', []],
  ['nowhere', []],
  // Its letters are scattered over the keywords of a page.
  ['cmpgns', []],
])('%j finds %j', (query, ids) => {
  expect(rankCommands(commands, query).map(({ id }) => id)).toEqual(ids);
});

test('a name goes before a keyword, and a whole word before scattered letters', () => {
  const found = (query: string, ...candidates: { id: string; label: string; words?: string }[]) =>
    rankCommands(candidates, query, ['recent']).map(({ id }) => id);
  expect(found('send', { id: 'recent', label: 'Webhooks', words: 'send' }, { id: 'name', label: 'Resend' })).toEqual([
    'name',
    'recent',
  ]);
  expect(found('set', { id: 'recent', label: 'Settle' }, { id: 'whole', label: 'Set' })).toEqual(['whole', 'recent']);
  expect(
    found('plan', { id: 'recent', label: 'Phone labels and names' }, { id: 'keyword', label: 'Bill', words: 'plan' }),
  ).toEqual(['keyword', 'recent']);
});

test('scattered letters go into later words by their beginnings alone: a name of a person is none of a page', () => {
  const sandbox = [{ id: 'sandbox', label: 'First message in the sandbox' }];
  expect(rankCommands(sandbox, 'ines')).toEqual([]);
  expect(rankCommands(sandbox, 'fmsg')).toEqual(sandbox);
  expect(rankCommands(sandbox, 'msgsand')).toEqual(sandbox);
});

test('among equals the one used last comes first', () => {
  const ids = rankCommands(commands, 'pro', ['profiles', 'projects']).map(({ id }) => id);
  expect(ids).toEqual(['profiles', 'projects', 'new-project']);
});
