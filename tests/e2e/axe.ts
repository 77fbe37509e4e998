import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect } from './fixtures.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that depend on the colour scheme; every other one sees the same document in both. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Run in the page itself: the wrapper for Playwright opens a second page for every analysis, at several times the cost. */
async function violationsOf(page: Page, part: string, runOnly?: readonly string[]): Promise<object[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const options = { resultTypes: ['violations'], ...(runOnly && { runOnly }) };
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  );
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
}

/**
 * Expects axe to find nothing in a part of the page in its present state: by all rules in light, by those about colours
 * in dark, too. Nothing scrolls sideways. `what` names the state in a failure. The page is in light afterwards.
 */
export async function expectAccessible(page: Page, what: string, part = 'html'): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.emulateMedia({ colorScheme: 'light' });
  const inLight = await violationsOf(page, part);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await violationsOf(page, part, colourRules);
  await page.emulateMedia({ colorScheme: 'light' });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect({ what, inLight, inDark, overflow: Math.max(0, overflow) }).toEqual({
    what,
    inLight: [],
    inDark: [],
    overflow: 0,
  });
}
