import { expect, test } from 'vitest';
import { failureGuide } from '#contracts/failure-codes.ts';
import { problemGuide } from '#contracts/problem-guide.ts';
import { WebhookEventType } from '#contracts/webhooks.ts';
import { documentationFiles } from './build-docs.ts';

const files = documentationFiles('/assets/inter.woff2');
const pages = Object.entries(files).filter(([name]) => name.endsWith('.html'));

const pathOf = (file: string) => `/${file.replace(/\.html$/, '').replace(/^docs\/index$/, 'docs')}`;
const idsByPath = new Map(
  pages.map(([name, html]) => [pathOf(name), new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id))]),
);

test('every link within the documentation leads to a page and a place that are there', () => {
  const dead = pages.flatMap(([name, html]) =>
    Array.from(html.matchAll(/href="(\/docs[^"#]*)?(?:#([^"]+))?"/g), ([, path = pathOf(name), id]) => ({
      name,
      path,
      id,
    })).filter(({ path, id }) => !idsByPath.has(path) || (id !== undefined && !idsByPath.get(path)?.has(id))),
  );
  expect(pages.length).toBeGreaterThan(20);
  expect(dead).toEqual([]);
});

test('no id stands twice in a page', () => {
  for (const [name, html] of pages) {
    const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
    expect(new Set(ids).size, name).toBe(ids.length);
  }
});

test('the search and the text for programs know every page', () => {
  const search = JSON.parse(files['docs/search.json'] ?? '[]') as { path: string; title: string }[];
  for (const path of idsByPath.keys()) {
    if (path === '/docs/not-found') continue;
    expect(
      search.some((entry) => entry.path === path),
      path,
    ).toBe(true);
    expect(files['llms.txt']).toContain(`(${path})`);
  }
  expect(search.some(({ title }) => title === 'phones_limited')).toBe(true);
});

test('the text for programs has every code and event, and nothing that is for our tests', () => {
  const text = files['llms.txt'] ?? '';
  for (const code of Object.keys(problemGuide)) expect(text).toContain(`| \`${code}\` |`);
  for (const code of Object.keys(failureGuide)) expect(text).toContain(`| \`${code}\` |`);
  for (const type of WebhookEventType.options) expect(text).toContain(`| \`${type}\` |`);
  expect(text).not.toMatch(/<!-- \w+ -->|^```\w+ /m);
});

test('the text of a guide is escaped, and its code is highlighted', () => {
  const page = files['docs/webhooks.html'] ?? '';
  expect(page).toContain('<span class="c-keyword">import</span>');
  expect(page).toContain('&lt;?php');
  expect(page).not.toMatch(/<!-- \w+ -->/);
});

/** The rows of the tables of a page, by what their first cell says. */
function rowsOf(page: string): Map<string, string[]> {
  const rows = (files[page] ?? '').matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g);
  const cells = Array.from(rows, ([, row = '']) =>
    Array.from(row.matchAll(/<t[hd]\b[^>]*>([\s\S]*?)<\/t[hd]>/g), ([, cell = '']) =>
      cell.replaceAll(/<[^>]+>/g, '').trim(),
    ),
  );
  return new Map(cells.map(([first = '', ...others]) => [first, others]));
}

test('the guide to webhooks has every type of event, with when it comes', () => {
  const rows = rowsOf('docs/webhooks.html');
  for (const type of WebhookEventType.options) expect(rows.get(type)?.[0], type).toMatch(/\w+ .*\./);
});

test('the guide to errors says of every code whether to send again, and what to do', () => {
  const rows = rowsOf('docs/errors.html');
  for (const code of [...Object.keys(problemGuide), ...Object.keys(failureGuide)]) {
    expect(rows.get(code)?.at(-1), code).toMatch(/^(Yes|No|Later) \S.*\.$/);
  }
  for (const code of Object.keys(problemGuide)) expect(files['docs/errors.html'], code).toContain(`id="${code}"`);
});
