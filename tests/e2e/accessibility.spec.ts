import type { Page } from '@playwright/test';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber, subscribe } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { openConversation } from '#contracts/conversations.ts';
import { addPhoneNumber } from '#contracts/phone-numbers.ts';
import { createBulkRun, startBulkRun } from '#contracts/bulk-runs.ts';
import { createCampaign } from '#contracts/campaigns.ts';
import { createFlow, runFlow } from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createTemplate } from '#contracts/saved-templates.ts';
import { updateProject } from '#contracts/projects.ts';
import { createSegment } from '#contracts/segments.ts';
import { createTopic, getNumberTopics } from '#contracts/topics.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

// Every page and dialog, one after the other: minutes, and more of them where other work is done beside.
test.describe.configure({ timeout: 600_000 });

const screens = [
  { name: 'desktop', viewport: { width: 1440, height: 900 } },
  { name: 'phone', viewport: { width: 390, height: 844 } },
] as const;

/** Some are refused, which leaves a record too. */
async function send(url: string, authKey: string, to: string): Promise<void> {
  await fetch(`${url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': authKey },
    body: JSON.stringify({ to, message: 'Your order 1042 is on its way ✓' }),
  });
}

/** The page follows the window: its tables become cards in the frame after. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** At each size of the window; the page is loaded once and follows the window. */
async function expectAccessibleAtEachSize(page: Page, path: string): Promise<void> {
  for (const { name, viewport } of screens) {
    await resize(page, viewport);
    await expectAccessible(page, `${path}, ${name}`);
  }
}

async function expectAccessiblePage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessibleAtEachSize(page, path);
}

test('pages of a visitor', async ({ page }) => {
  for (const path of ['/login', '/signup', '/forgot-password', '/reset-password?token=dpr_x']) {
    await expectAccessiblePage(page, path);
  }
});

test('the subscription page', async ({ page, product }) => {
  await signInAs(page, '/subscription', await signUp(product.url));
  await expectAccessiblePage(page, '/subscription');
});

test('pages without anything yet', async ({ page, product }) => {
  const customer = await signUp(product.url);
  await subscribe(customer);
  await signInAs(page, '/', customer);
  for (const path of ['/', '/projects', '/projects/new']) await expectAccessiblePage(page, path);
});

test('pages with a project, phones and records', async ({ page, product }) => {
  const customer = await signUp(product.url);
  await subscribe(customer);
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  await connectSandboxPhone(customer, project.id, { name: 'Front desk' });
  const params = { projectId: project.id };
  await customer.api.call(addPhoneNumber, { params, body: { phone_number: '5511900000300', is_active: false } });
  for (const to of ['14155550123', '14155550000']) await send(product.url, project.auth_key, to);
  await signInAs(page, '/', customer);
  const id = project.id;
  for (const path of [
    '/',
    '/projects',
    `/projects/${id}`,
    `/projects/${id}/phone-numbers`,
    `/projects/${id}/developers`,
    '/settings',
    '/settings/notifications',
    '/settings/sending',
    '/settings/data',
    '/inbox/times',
  ]) {
    await expectAccessiblePage(page, path);
  }
  const { body: conversation } = await customer.api.call(openConversation, {
    body: { project_id: id, phone: '14155550123' },
  });
  for (const path of ['/inbox', `/inbox?conversation=${conversation.id}`]) await expectAccessiblePage(page, path);
  for (const path of ['/messages', '/bulk-send', '/campaigns', '/flows', '/nowhere'])
    await expectAccessiblePage(page, path);
});

test('pages of settings, of a phone, and of editors', async ({ page, product }) => {
  const { customer, projectId, phoneId } = await seedOwner(product.url);
  await signInAs(page, '/', customer);
  for (const path of [
    '/settings/security',
    '/settings/team',
    '/settings/audit',
    '/settings/prices',
    '/settings/opt-out',
    '/events',
    '/whatsapp-templates',
    '/segments/new?groups=true',
    `/phone-numbers/${phoneId}`,
    `/projects/${projectId}/settings`,
    `/projects/${projectId}/first-message`,
    `/projects/${projectId}/phone-numbers/connect`,
    `/projects/${projectId}/developers?tab=webhooks`,
    `/projects/${projectId}/developers?tab=log`,
  ]) {
    await expectAccessiblePage(page, path);
  }
  for (const path of ['/campaigns/new', '/flows/new']) {
    await page.goto(path);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessibleAtEachSize(page, path);
  }
});

test('pages with profiles and segments', async ({ page, product }) => {
  const customer = await signUp(product.url);
  await subscribe(customer);
  await signInAs(page, '/', customer);
  for (const path of ['/profiles', '/segments', '/profiles/import']) await expectAccessiblePage(page, path);
  const { body: profile } = await customer.api.call(createProfile, {
    body: { phone: '+1 415 555 2671', name: 'Maria Silva', custom_fields: { installed: true, shop: 'Corner' } },
  });
  const condition = { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' } as const;
  await customer.api.call(createSegment, { body: { name: 'Installed users', condition } });
  for (const path of ['/profiles', `/profiles/${profile.id}`, '/segments']) await expectAccessiblePage(page, path);
});

for (const { name, viewport } of screens) {
  test.describe(name, () => {
    test.use({ viewport });

    test('the bell, the keys, the countries of a number, and a choice of segments', async ({ page, product }) => {
      const { customer } = await seedOwner(product.url);
      await signInAs(page, '/', customer);
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
      await expectAccessible(page, 'the bell');
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      await expectAccessible(page, 'the keys', dialogPart);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Country/ }).click();
      await expect(page.getByRole('listbox')).toBeVisible();
      await expectAccessible(page, 'the countries of a number');
      await page.goto('/campaigns/new');
      await page.getByRole('combobox', { name: 'Segment', exact: true }).click();
      await expect(page.getByRole('option', { name: /Installed users/ })).toBeVisible();
      await expectAccessible(page, 'a choice of segments', dialogPart);
    });

    test('reports, runs, templates and views', async ({ page, product }) => {
      const { customer, runId, flowId, campaignId } = await seedOwner(product.url);
      await signInAs(page, '/', customer);
      for (const path of [`/flows/${flowId}`, `/campaigns/${campaignId}`, `/bulk-send/${runId}`]) {
        await page.goto(path);
        await expect(page.getByRole('region', { name: 'What became of it' })).toBeVisible();
        await expectAccessible(page, path);
      }
      await page.getByRole('button', { name: 'Per day' }).click();
      await expectAccessible(page, 'a report per day');
      for (const path of ['/bulk-send/runs', '/bulk-send/runs?status=paused', '/templates?search=order']) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page, path);
      }
      await page.getByRole('button', { name: 'Views' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await expectAccessible(page, 'the menu of views', '[role="menu"]');
      await page.getByRole('menuitem', { name: 'Save as a view' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Orders');
      await expectAccessible(page, 'a view that is saved', dialogPart);
      await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
      await expect(page.getByRole('button', { name: 'Views: Orders' })).toBeVisible();
      await page.getByRole('checkbox', { name: 'Select Order ready' }).check();
      await expectAccessible(page, 'a selection');
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
      await expectAccessible(page, 'what is asked before a bulk action', dialogPart);
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 1 template' }).click();
      await expect(page.getByRole('region', { name: 'Bulk action' })).toContainText('1 template deleted');
      await expectAccessible(page, 'a bulk action that has ended');
    });
  });
}

type Owner = {
  projectId: number;
  phoneId: number;
  profileId: number;
  runId: number;
  flowId: number;
  campaignId: number;
};

/** Every page of somebody who has something of everything. */
const pagesOf = ({ projectId, profileId, runId, flowId, campaignId }: Owner) => [
  '/',
  '/projects',
  '/projects/new',
  `/projects/${projectId}`,
  `/projects/${projectId}/phone-numbers`,
  `/projects/${projectId}/developers`,
  '/inbox',
  '/messages',
  '/bulk-send',
  '/bulk-send/runs',
  `/bulk-send/${runId}`,
  '/templates',
  '/profiles',
  '/profiles/import',
  `/profiles/${profileId}`,
  '/segments',
  '/campaigns',
  `/campaigns/${campaignId}`,
  '/flows',
  `/flows/${flowId}`,
  '/settings',
];

async function seedOwner(url: string, longName?: string): Promise<{ customer: Customer } & Owner> {
  const customer = await signUp(url);
  await subscribe(customer);
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  const params = { projectId: project.id };
  if (longName !== undefined) await customer.api.call(updateProject, { params, body: { name: longName } });
  const phone = await connectSandboxPhone(customer, project.id, { name: longName?.slice(0, 100) ?? 'Front desk' });
  await customer.api.call(addPhoneNumber, { params, body: { phone_number: '5511900000300', name: 'Backup line' } });
  await send(url, project.auth_key, '14155550123');
  const { body: profile } = await customer.api.call(createProfile, {
    body: { phone: '+1 415 555 2671', name: longName ?? 'Maria Silva', custom_fields: { installed: true } },
  });
  const condition = { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' } as const;
  const { body: segment } = await customer.api.call(createSegment, {
    body: { name: longName ?? 'Installed users', condition },
  });
  await customer.api.call(createTemplate, {
    body: { name: longName?.slice(0, 100) ?? 'Order ready', message: 'Hi {name|there}' },
  });
  const rows = [{ to: '14155550123', fields: { name: longName ?? 'Maria' } }];
  const { body: run } = await customer.api.call(createBulkRun, {
    body: { name: longName ?? 'customers.csv', project_id: project.id, message: 'Hi {name}', rows },
  });
  await customer.api.call(startBulkRun, { params: { runId: run.id } });
  const { body: campaign } = await customer.api.call(createCampaign, {
    body: { name: longName ?? 'Autumn', project_id: project.id, segment_id: segment.id, message: 'Hi {name}' },
  });
  const action = { type: 'send_message', projectId: project.id, message: 'Welcome {name}' } as const;
  const { body: flow } = await customer.api.call(createFlow, {
    body: { name: longName ?? 'Welcome', conditions: [condition], action, active: false },
  });
  await customer.api.call(runFlow, { params: { flowId: flow.id } });
  const ids = { runId: run.id, flowId: flow.id, campaignId: campaign.id };
  return { customer, projectId: project.id, phoneId: phone.id, profileId: profile.id, ...ids };
}

/** A dialog is checked alone: the page behind it is checked as a page. */
const dialogPart = '[role="dialog"], [role="alertdialog"]';

/** The way to each dialog: a page, and the buttons to press one after the other. */
const dialogsOf = ({ projectId, profileId }: Owner): readonly [path: string, ...presses: (string | RegExp)[]][] => {
  const project = `/projects/${projectId}`;
  const phones = `${project}/phone-numbers`;
  return [
    ['/', /open the command palette/],
    ['/projects', /^Delete/],
    [project, 'More actions for this project', 'Rename'],
    [project, 'More actions for this project', 'Delete project'],
    [project, 'Rotate auth key'],
    [project, 'Rotate signing secret'],
    [project, 'Disconnect'],
    [phones, 'Add Phone Number'],
    [phones, 'Edit'],
    [phones, 'Delete'],
    [phones, 'Disconnect'],
    [phones, 'Simulate incoming message'],
    [phones, 'Connect'],
    ['/profiles', 'New Profile'],
    ['/profiles', /^Delete/],
    [`/profiles/${profileId}`, 'Edit'],
    [`/profiles/${profileId}`, 'Delete'],
    ['/inbox', 'New message'],
    ['/segments', 'New Segment'],
    ['/segments', /^Edit/],
    ['/segments', /^Delete/],
    ['/templates', 'New Template'],
    ['/templates', /^Edit/],
    ['/templates', /^Delete/],
    ['/campaigns', 'New Campaign'],
    ['/flows', 'New Flow'],
    ['/settings', 'Change Email'],
    ['/settings', 'Change Password'],
    ['/settings', 'Regenerate API key'],
    ['/settings', /^Cancel/],
  ];
};

for (const { name, viewport } of screens) {
  test.describe(`dialogs, ${name}`, () => {
    test.use({ viewport });

    test('each has no violation, and gives the focus back', async ({ page, product }) => {
      const { customer, ...owner } = await seedOwner(product.url);
      await signInAs(page, '/', customer);
      for (const [path, ...presses] of dialogsOf(owner)) {
        if (new URL(page.url()).pathname !== path) await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        for (const label of presses) {
          const exact = typeof label === 'string';
          const button = page.getByRole('button', { name: label, exact });
          await button
            .or(page.getByRole('menuitem', { name: label, exact }))
            .first()
            .click();
        }
        const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
        await expect(dialog).toBeVisible();
        await expectAccessible(page, `${path} ${presses.join()}`, dialogPart);
        const box = await dialog.boundingBox();
        expect(box?.width, `${path} ${presses.join()} fits`).toBeLessThanOrEqual(viewport.width);
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
        const focus = () => page.evaluate(() => document.activeElement?.tagName);
        await expect.poll(focus, `${path} ${presses.join()} gives the focus back`).not.toBe('BODY');
      }
    });
  });
}

// At 200 % a window of 1440 has 720 CSS pixels; 320 is where WCAG 1.4.10 asks for reflow.
test.describe('320 and 720 CSS pixels wide', () => {
  test.use({ deviceScaleFactor: 2 });

  test('no page scrolls sideways', async ({ page, product }) => {
    for (const path of ['/login', '/signup', '/forgot-password']) await expectNoSidewaysScroll(page, path);
    const { customer, ...owner } = await seedOwner(product.url);
    await signInAs(page, '/', customer);
    for (const path of pagesOf(owner)) await expectNoSidewaysScroll(page, path);
  });
});

test('the longest names without a space widen no page, no dialog and no table', async ({ page, product }) => {
  const { customer, ...owner } = await seedOwner(product.url, 'W'.repeat(120));
  const { projectId, campaignId, runId } = owner;
  await signInAs(page, '/', customer);
  const further = [`/projects/${projectId}/settings`, `/campaigns/${campaignId}/edit`];
  for (const path of [...pagesOf(owner), ...further]) {
    await page.goto(path);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(path.endsWith('/edit') ? page.getByRole('dialog').getByLabel('Leave out') : heading).toBeVisible();
    for (const width of [390, 820, 1440]) {
      await resize(page, { width, height: 900 });
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      const cut = await page.evaluate(() => {
        const isCut = (element: Element) => element.getBoundingClientRect().right > window.innerWidth;
        const controls = [...document.querySelectorAll('[role="dialog"] :is(button, input, textarea)')].filter(isCut);
        return {
          page: document.documentElement.scrollWidth > window.innerWidth,
          controls: controls.map(({ outerHTML }) => outerHTML.slice(0, 120)),
        };
      });
      expect.soft({ path, width, ...cut }).toEqual({ path, width, page: false, controls: [] });
    }
  }
  await resize(page, { width: 820, height: 900 });
  await page.goto(`/bulk-send/${runId}`);
  const rows = page.getByRole('table', { name: 'Rows' });
  await expect(rows.getByText('WWW').first()).toBeVisible();
  expect(await rows.locator('..').evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
});

test('the longest name of a topic widens no preferences page', async ({ page, product }) => {
  const { api } = await signUpSubscriber(product.url);
  await api.call(createTopic, { body: { name: 'W'.repeat(60), description: 'W'.repeat(120) } });
  const { body } = await api.call(getNumberTopics, { params: { phone: '14155550123' } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(new URL(body.preferences_url ?? '').pathname);
  await expect(page.getByRole('checkbox', { name: /^WWW/ })).toBeVisible();
  await expectAccessible(page, 'the preferences page');
});

async function expectNoSidewaysScroll(page: Page, path: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 512 });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const width of [320, 720]) {
    await resize(page, { width, height: 512 });
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    const wider = await page.evaluate(() => {
      if (document.documentElement.scrollWidth <= window.innerWidth) return [];
      return [...document.querySelectorAll('body *')]
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
        .map((element) => element.outerHTML.slice(0, 100))
        .slice(0, 5);
    });
    expect({ path, width, wider }).toEqual({ path, width, wider: [] });
  }
}

test.describe('where motion is not wanted', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing moves, on a page that loads and as a dialog opens', async ({ page, product }) => {
    const { customer } = await seedOwner(product.url);
    await page.route(
      ({ pathname }) => pathname === '/api/segments',
      async () => undefined,
    );
    const moving = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== 0)
          .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : 'transition')),
      );
    await signInAs(page, '/segments', customer);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(1);
    expect(await moving()).toEqual([]);
    await page.getByRole('button', { name: 'New Segment' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await moving()).toEqual([]);
  });
});
