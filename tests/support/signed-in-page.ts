import type { Page } from 'playwright';
import { getCurrentUser } from '#contracts/accounts.ts';
import type { Customer } from './customer.ts';

/** As signing in on the page leaves it. */
export async function signInAs(
  page: Page,
  url: string,
  { token, api }: Pick<Customer, 'token' | 'api'>,
): Promise<void> {
  const { body } = await api.call(getCurrentUser);
  const session = JSON.stringify({ token, user: body.user, currentProjectId: null });
  await page.addInitScript(`localStorage.setItem('dovepost.session', ${JSON.stringify(session)})`);
  await page.goto(url);
}
