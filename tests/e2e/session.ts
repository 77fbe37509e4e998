import type { Page } from '@playwright/test';
import { getCurrentUser } from '#contracts/accounts.ts';
import type { Customer } from '#tests/support/customer.ts';

/** As signing in on the page leaves it. */
export async function signInAs(page: Page, url: string, { token, api }: Customer): Promise<void> {
  const { body } = await api.call(getCurrentUser);
  const session = JSON.stringify({ token, user: body.user, currentProjectId: null });
  await page.addInitScript((stored) => localStorage.setItem('dovepost.session', stored), session);
  await page.goto(url);
}
