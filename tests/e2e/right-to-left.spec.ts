import type { Page } from '@playwright/test';
import { updateCurrentUser } from '#contracts/accounts.ts';
import { createBulkRun } from '#contracts/bulk-runs.ts';
import { createCampaign } from '#contracts/campaigns.ts';
import { createNote } from '#contracts/conversation-notes.ts';
import { openConversation, updateConversation } from '#contracts/conversations.ts';
import { createFlow } from '#contracts/flows.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createProject } from '#contracts/projects.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { createTemplate } from '#contracts/saved-templates.ts';
import { createSegment } from '#contracts/segments.ts';
import { addSuppression } from '#contracts/suppressions.ts';
import { createTopic } from '#contracts/topics.ts';
import { createWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { connectSandboxPhone, signUp, subscribe } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const name = 'חנות (דרום) 12';

/** Texts to be seen that contain the name and are not set apart from what stands beside them, or stand at the wrong side. */
function findMisplaced(wanted: string): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode;
    if (parentElement === null || !textContent?.includes(wanted) || parentElement.closest('option, script, .sr-only'))
      continue;
    const { unicodeBidi } = getComputedStyle(parentElement);
    if (unicodeBidi === 'plaintext') continue;
    const { textAlign, direction } = getComputedStyle(parentElement.closest(':not(bdi)') ?? parentElement);
    const isAside = textAlign === 'start' && direction === 'rtl';
    if (isAside || parentElement.closest('bdi, [dir="auto"], code[dir="ltr"]') === null)
      found.push(parentElement.outerHTML);
  }
  return found;
}

async function expectInPlace(page: Page, shown: string): Promise<void> {
  await expect(page.getByText(name).filter({ visible: true }).first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  expect.soft({ shown, misplaced: await page.evaluate(findMisplaced, name) }).toEqual({ shown, misplaced: [] });
}

test('a name that is written from right to left keeps its place on every page and in every dialog', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000);
  const customer = await signUp(product.url);
  await subscribe(customer);
  const { api } = customer;
  const { body: project } = await api.call(createProject, { body: { name } });
  const params = { projectId: project.id };
  const phone = await connectSandboxPhone(customer, project.id, { name });
  const { body: profile } = await api.call(createProfile, {
    body: { phone: '+1 415 555 2671', name, custom_fields: { shop: 'Corner', town: name } },
  });
  const condition = { fieldPath: 'custom_fields.shop', operator: 'equals', value: 'Corner' } as const;
  const { body: segment } = await api.call(createSegment, { body: { name, condition } });
  const when = new Date(Date.now() + 86_400_000).toISOString();
  const { body: campaign } = await api.call(createCampaign, {
    body: { name, project_id: project.id, segment_id: segment.id, message: 'Hi {name}', when },
  });
  const { body: flow } = await api.call(createFlow, {
    body: { name, conditions: [condition], action: { projectId: project.id, message: 'Hi' }, active: false },
  });
  await api.call(createTemplate, { body: { name, message: 'Hi {name}' } });
  const rows = [{ to: '14155552671', fields: { name } }];
  const { body: run } = await api.call(createBulkRun, {
    body: { name, project_id: project.id, message: 'Hi {name}', rows },
  });
  await api.call(createProjectKey, { params, body: { name, scopes: ['messages:send'] } });
  const url = 'https://desk.example.com/in';
  await api.call(createWebhookEndpoint, { params, body: { url, events: ['*'], description: name } });
  await api.call(receiveSandboxMessage, {
    params: { phoneId: phone.id },
    body: { from: profile.phone, message: 'Hello' },
  });
  await api.call(updateCurrentUser, { body: { name } });
  await api.call(createTopic, { body: { name } });
  await api.call(addSuppression, { body: { phone: '+1 415 555 2672', note: name } });
  const { body: conversation } = await api.call(openConversation, {
    body: { project_id: project.id, phone: profile.phone },
  });
  const inConversation = { params: { conversationId: conversation.id } };
  await api.call(updateConversation, { ...inConversation, body: { labels: [name], assigned_to: customer.id } });
  await api.call(createNote, { ...inConversation, body: { text: name } });
  await signInAs(page, '/', customer);
  const pages = [
    '/',
    '/projects',
    `/projects/${project.id}`,
    `/projects/${project.id}/phone-numbers`,
    `/projects/${project.id}/developers`,
    `/phone-numbers/${phone.id}`,
    '/inbox',
    '/messages',
    '/bulk-send/runs',
    `/bulk-send/${run.id}`,
    '/profiles',
    `/profiles/${profile.id}`,
    '/segments',
    '/campaigns',
    `/campaigns/${campaign.id}`,
    '/flows',
    `/flows/${flow.id}`,
    '/templates',
    '/settings',
    '/settings/team',
    '/settings/audit',
    '/settings/opt-out',
    `/projects/${project.id}/settings`,
    `/projects/${project.id}/first-message`,
    '/campaigns/new',
    '/flows/new',
  ];
  for (const path of pages) {
    await page.goto(path);
    await expectInPlace(page, path);
  }
  await page.goto(`/inbox?conversation=${conversation.id}`);
  await expect(page.getByText('Hello').first()).toBeVisible();
  await expectInPlace(page, 'a conversation');
  await page.goto(`/campaigns/${campaign.id}`);
  for (const action of ['Edit', 'Duplicate', 'Cancel', 'Delete']) {
    await page.getByRole('button', { name: action, exact: true }).click();
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible();
    await expectInPlace(page, `${action} of a campaign`);
    await page.keyboard.press('Escape');
  }
  await page.goto('/flows');
  for (const action of ['Activate', 'Delete']) {
    await page
      .getByRole('button', { name: /^(?:Actions|More actions)/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: action }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectInPlace(page, `${action} of a flow`);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'Open the command palette' }).click();
  await page.getByRole('combobox', { name: 'Command palette' }).fill(name.slice(0, 4));
  await expect(page.getByRole('option', { name }).nth(3)).toBeVisible();
  await expectInPlace(page, 'the palette');
});
