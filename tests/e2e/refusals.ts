import type { Page } from '@playwright/test';
import { createProfile } from '#contracts/profiles.ts';
import type { Project } from '#contracts/projects.ts';
import { createSegment } from '#contracts/segments.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { expect } from './fixtures.ts';

type Call = readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string];

/** A refusal that gives no reason: the page has to find words of its own. */
const silence = { status: 409, json: { message: '', code: 'conflict', request_id: 'r' } };

export async function refuse(page: Page, [method, path]: Call): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    (route) => (route.request().method() === method ? route.fulfill(silence) : route.fallback()),
  );
}

/** Sees each text, then lets the server answer again. */
export async function see(page: Page, ...texts: readonly (string | RegExp)[]): Promise<void> {
  for (const text of texts) await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
  await page.unrouteAll();
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
export const inDialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));
export const confirm = (page: Page, name: string) => inDialog(page).getByRole('button', { name, exact: true }).click();

export type Owner = { customer: Customer; project: Project; phoneId: number; profileId: number; segmentId: number };

export async function seedOwner(url: string): Promise<Owner> {
  const customer = await signUpSubscriber(url);
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  const phone = await connectSandboxPhone(customer, project.id, { name: 'Front desk' });
  const { body: profile } = await customer.api.call(createProfile, {
    body: { phone: '+1 415 555 2671', name: 'Maria' },
  });
  const condition = { fieldPath: 'email', operator: 'exists', value: '' } as const;
  const { body: segment } = await customer.api.call(createSegment, { body: { name: 'Reachable', condition } });
  return { customer, project, phoneId: phone.id, profileId: profile.id, segmentId: segment.id };
}
