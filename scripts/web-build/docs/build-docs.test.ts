import { expect, test } from 'vitest';
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

test('what a guide says is escaped, and code is coloured', () => {
  const page = files['docs/webhooks.html'] ?? '';
  expect(page).toContain('<span class="c-keyword">import</span>');
  expect(page).toContain('&lt;?php');
  expect(page).not.toMatch(/<!-- \w+ -->/);
});
