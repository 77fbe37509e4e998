import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { inDialog, seedOwner, type Owner } from './refusals.ts';
import { signInAs } from './session.ts';

type Form = {
  path: string;
  /** The buttons that open it, one after the other. */
  opens?: readonly (string | RegExp)[];
  /** The part of the page that it is, where it is no dialog. */
  part?: string;
  /** Texts by their labels; true checks a box or switch. */
  typed: Readonly<Record<string, string | boolean>>;
  submit: string;
  call: readonly [method: string, path: RegExp];
  /** Names in its body that nobody has typed or chosen: an error of theirs is a toast. */
  own?: readonly string[];
};

const formsOf = ({ project, profileId, segmentId }: Owner): readonly Form[] => {
  const own = `/projects/${project.id}`;
  const phones = `${own}/phone-numbers`;
  return [
    {
      path: '/projects/new',
      part: 'main',
      typed: { 'Project Name': 'Shop', 'Webhook URL': 'https://example.com/hook' },
      submit: 'Create Project',
      call: ['POST', /\/projects$/],
    },
    {
      path: own,
      opens: ['More actions for this project', 'Rename'],
      typed: { 'Project Name': 'Shop' },
      submit: 'Save Changes',
      call: ['PUT', /\/projects\/\d+$/],
    },
    {
      path: own,
      opens: ['Edit webhook URL'],
      part: 'main',
      typed: { 'Webhook URL': 'https://example.com/other' },
      submit: 'Save Changes',
      call: ['PUT', /\/webhook$/],
    },
    {
      path: `${own}/settings`,
      part: 'main',
      typed: { 'Keep files for (days)': '30' },
      submit: 'Save Changes of files',
      call: ['PUT', /\/projects\/\d+$/],
    },
    {
      path: phones,
      opens: ['Add Phone Number'],
      typed: { 'Phone Number': '+1 415 555 0177', 'Name (Optional)': 'Till' },
      submit: 'Add Phone Number',
      call: ['POST', /\/phone-numbers$/],
      own: ['connector', 'is_active'],
    },
    {
      path: phones,
      opens: ['Edit'],
      typed: { 'Name (Optional)': 'Till', Priority: '3' },
      submit: 'Save Changes',
      call: ['PUT', /\/phone-numbers\/\d+$/],
    },
    {
      path: phones,
      opens: ['Simulate incoming message'],
      typed: { From: '+1 415 555 0123', Message: 'Hello' },
      submit: 'Receive message',
      call: ['POST', /\/sandbox\/incoming$/],
    },
    {
      path: `${own}/developers`,
      opens: ['New key'],
      typed: { Name: 'Till', Expires: '90', Addresses: '203.0.113.7' },
      submit: 'Create key',
      call: ['POST', /\/keys$/],
    },
    {
      path: `${own}/developers?tab=webhooks`,
      opens: ['Add endpoint'],
      typed: { URL: 'https://example.com/hook', Description: 'Till' },
      submit: 'Add endpoint',
      call: ['POST', /\/webhook-endpoints$/],
    },
    {
      path: '/profiles',
      opens: ['New Profile'],
      typed: { Phone: '+1 415 555 0188', Name: 'Ana', Email: 'ana@example.com' },
      submit: 'Create Profile',
      call: ['POST', /\/profiles$/],
    },
    {
      path: `/profiles/${profileId}`,
      opens: ['Edit'],
      typed: { Name: 'Ana' },
      submit: 'Save Changes',
      call: ['PUT', /\/profiles\/\d+$/],
    },
    {
      path: '/segments/new',
      typed: { Name: 'Lisbon', 'Field Path': 'email', Value: 'ana@example.com' },
      submit: 'Create Segment',
      call: ['POST', /\/segments$/],
    },
    {
      path: `/segments/${segmentId}`,
      typed: { Name: 'Reachable by mail' },
      submit: 'Save Changes',
      call: ['PUT', /\/segments\/\d+$/],
    },
    {
      path: '/templates',
      opens: ['New Template'],
      typed: { Name: 'Order', Message: 'Hi {name}' },
      submit: 'Create Template',
      call: ['POST', /\/templates$/],
    },
    {
      path: '/flows/new',
      // Switched on it would be reviewed first.
      typed: { Name: 'Trial ends', Value: 'ana@example.com', 'Message Template': 'Hi {name}', Active: false },
      submit: 'Create Flow',
      call: ['POST', /\/flows$/],
      own: ['frequency.value'],
    },
    {
      path: '/inbox',
      opens: ['New message'],
      typed: { Phone: '+1 415 555 0123' },
      submit: 'Open conversation',
      call: ['POST', /\/conversations$/],
      own: ['project_id'],
    },
    {
      path: '/',
      part: 'main',
      typed: { 'Recipient number': '14155550123', Message: 'Hello' },
      submit: 'Send message',
      call: ['POST', /\/send-message$/],
    },
    {
      path: '/settings',
      part: 'main',
      typed: { Name: 'Ada L.' },
      submit: 'Save Changes of your profile',
      call: ['PUT', /\/user\/me$/],
    },
    {
      path: '/settings',
      opens: ['Change Email'],
      typed: { Email: 'other@example.com', 'Current Password': 'correct horse battery' },
      submit: 'Change Email',
      call: ['POST', /\/update-email$/],
    },
    {
      path: '/settings',
      opens: ['Change Password'],
      typed: { 'Current Password': 'correct horse battery', 'New Password': 'battery horse correct' },
      submit: 'Change Password',
      call: ['POST', /\/update-password$/],
    },
    {
      path: '/settings',
      opens: ['New account key'],
      typed: { Name: 'Till', Expires: '90', Addresses: '203.0.113.7', 'messages:read': true },
      submit: 'Create key',
      call: ['POST', /\/account\/keys$/],
    },
    {
      path: '/settings/team',
      opens: ['Invite people'],
      typed: { Email: 'bo@example.com' },
      submit: 'Send invitation',
      call: ['POST', /\/team\/invitations$/],
    },
    {
      path: '/settings/sending',
      part: 'main',
      typed: { 'Domain of your own': 'go.example.com' },
      submit: 'Save Changes of links',
      call: ['PUT', /\/link-settings$/],
    },
    {
      path: '/settings/sending',
      part: 'main',
      typed: { 'A day': '2', 'A week': '5' },
      submit: 'Save the cap of All campaigns and flows',
      call: ['PUT', /\/message-caps$/],
      own: ['topic_id'],
    },
    {
      path: '/settings/opt-out',
      opens: ['Add Number'],
      typed: { Phone: '+1 415 555 0123', Note: 'Asked by phone' },
      submit: 'Add Number',
      call: ['POST', /\/suppressions$/],
    },
    {
      path: '/settings/opt-out',
      opens: ['New Topic'],
      typed: { Name: 'Offers', Description: 'Once a month' },
      submit: 'Create Topic',
      call: ['POST', /\/topics$/],
    },
    {
      path: '/settings/opt-out',
      part: 'main',
      typed: { 'Words that opt out': 'stop' },
      submit: 'Save Changes',
      call: ['PUT', /\/opt-out-settings$/],
    },
    {
      path: '/segments?search=reach',
      opens: ['Views', 'Save as a view'],
      typed: { Name: 'Reachable' },
      submit: 'Save view',
      call: ['POST', /\/saved-views$/],
      own: ['list', 'search'],
    },
  ];
};

async function open(page: Page, { path, opens = [], part }: Form): Promise<Locator> {
  await page.goto('/docs');
  await page.goto(path);
  await page.locator('h1').first().waitFor({ state: 'attached' });
  for (const name of opens) {
    const button = page.getByRole('button', { name, exact: true });
    await button
      .or(page.getByRole('menuitem', { name, exact: true }))
      .first()
      .click();
  }
  return part === undefined ? inDialog(page).first() : page.locator(part);
}

async function fill(form: Locator, typed: Form['typed']): Promise<void> {
  for (const [label, text] of Object.entries(typed)) {
    const control = form.getByLabel(label, { exact: true }).first();
    if (typeof text === 'boolean') await control.setChecked(text);
    else if ((await control.evaluate(({ tagName }) => tagName)) === 'SELECT') await control.selectOption(text);
    else await control.fill(text);
  }
}

/** The values in the form, in order. */
const valuesIn = (form: Locator) =>
  form
    .locator('input:not([type="file"]), textarea, select')
    .evaluateAll((all) => (all as HTMLInputElement[]).map(({ value, checked }) => `${value} ${checked}`));

/** The places of a body that hold a value, as the server names them. */
function pathsIn(body: object, before = ''): string[] {
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const isOfObjects = Array.isArray(value) && value.some((item) => typeof item === 'object');
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject || isOfObjects ? pathsIn(value, `${before}${name}.`) : [`${before}${name}`];
  });
}

/** The words that the server would refuse a field with, and no other text has. */
const refusal = (path: string) => `The server refuses ${path}.`;

test('errors that the server finds in a form stand at their fields, and everything typed is still there', async ({
  page,
  product,
}) => {
  test.setTimeout(600_000);
  const owner = await seedOwner(product.url);
  await signInAs(page, '/', owner.customer);
  const faults: unknown[] = [];
  for (const each of formsOf(owner)) {
    const name = `${each.path} ${(each.opens ?? []).join(' ')}`.trim();
    let asked: string[] | undefined;
    const [method, at] = each.call;
    await page.route(
      ({ pathname }) => at.test(pathname),
      async (route) => {
        if (route.request().method() !== method) return route.fallback();
        const body = route.request().postDataJSON() as object;
        asked = pathsIn(body).filter((path) => each.own?.includes(path) !== true);
        const errors = asked.map((path) => ({ path, message: refusal(path) }));
        const json = { message: 'Not all of it is valid', code: 'invalid_input', errors, request_id: 'r' };
        return route.fulfill({ status: 422, json });
      },
    );
    try {
      const form = await open(page, each);
      await fill(form, each.typed);
      const before = await valuesIn(form);
      await form.getByRole('button', { name: each.submit, exact: true }).first().click();
      await expect.poll(() => asked).toBeDefined();
      const [first = ''] = asked ?? [];
      await expect(form.getByText(refusal(first))).toBeVisible();
      const shown = await form.innerText();
      const astray = (asked ?? []).filter((path) => !shown.includes(refusal(path)));
      const after = await valuesIn(form);
      if (astray.length > 0 || after.join() !== before.join()) faults.push({ name, astray, before, after });
    } catch (error) {
      faults.push({ name, asked, error: String(error).slice(0, 400) });
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  expect(faults).toEqual([]);
});
