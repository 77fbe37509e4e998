import type { Page } from 'playwright';
import QRCode from 'qrcode';
import sharp from 'sharp';
import type { CurrentUser } from '#contracts/accounts.ts';
import { phoneScreens } from './phone-screens.ts';
import type { Shop } from './seed-shop.ts';

/**
 * The viewer: nobody signed in, a customer who has just signed up, has just paid, or has a shop; or a developer of the
 * components.
 */
export type Viewer = 'visitor' | 'newcomer' | 'beginner' | 'owner' | 'developer';

export type Screen = {
  name: string;
  viewer: Viewer;
  path: string;
  /** Prepares the server before the page asks it. */
  arrange?: (page: Page) => Promise<unknown>;
  /** Opens a part of the page before the picture is taken. */
  open?: (page: Page) => Promise<void>;
};

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

const contacts = [
  'country_code,phone,name,shop',
  ...Array.from({ length: 2000 }, (_, row) => `351,9123${10_000 + row},Maria ${row},Corner`),
  '351,12,Ana,North Light',
  '1,4155550000,,Corner',
  '1,4155550000,Rui,Corner',
].join('\n');

async function loadContacts(page: Page): Promise<void> {
  const buffer = Buffer.from(contacts);
  await page.locator('input[type="file"]').setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer });
  await page.getByLabel('Message', { exact: true }).fill('Hi {name}, your order from {shop} is ready.');
  await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).waitFor();
}

/** A wide picture of some colours. */
async function attachPicture(page: Page, name = 'spring.jpg'): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><rect width="900" height="600" fill="#dfe9d8"/>
    <circle cx="650" cy="170" r="90" fill="#f2b134"/><rect y="380" width="900" height="220" fill="#5b8c5a"/></svg>`;
  const buffer = await sharp(Buffer.from(svg)).jpeg().toBuffer();
  // A draft of the picture before has a file already.
  const attach = press(/^(?:Attach a|Replace the) file$/);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), attach(page)]);
  await chooser.setFiles({ name, mimeType: 'image/jpeg', buffer });
  await page.getByText(/^Picture · /).waitFor();
}

/** With its preview beside the form. */
async function attachToForm(page: Page): Promise<void> {
  await attachPicture(page);
  await page.getByRole('img', { name: 'spring.jpg' }).waitFor();
}

const withPicture = (name: string) => async (page: Page) => {
  await press(name)(page);
  await page.getByRole('textbox', { name: /^Message/ }).fill('Hi {name}, the new bags are here.');
  await attachToForm(page);
};

async function bulkWithPicture(page: Page): Promise<void> {
  await loadContacts(page);
  await attachToForm(page);
}

const chooseOfFlow = (name: string) => async (page: Page) => {
  await press(/^(?:Actions|More actions)/)(page);
  await page.getByRole('menuitem', { name }).click();
};

/** Selects two rows of a list. */
async function selectRows(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
}

async function openReport(page: Page): Promise<void> {
  await chooseOfFlow('Report')(page);
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
}

async function saveView(page: Page): Promise<void> {
  await press(/^Views/)(page);
  await page.getByRole('menuitem', { name: 'Save as a view' }).click();
}

/** Opens the dialog that counts the matching profiles. */
async function askToActivate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Welcome trial customers' }).click();
  await page.getByRole('menuitem', { name: 'Activate' }).click();
  await page.getByRole('button', { name: 'Send to them too' }).waitFor();
}

async function openPalette(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the command palette' }).click();
  await page.getByRole('combobox', { name: 'Command palette' }).fill('ma');
  await page.getByRole('group', { name: 'Profiles' }).waitFor();
}

const answer = (glob: string, status: number, json: object) => (page: Page) =>
  page.route(glob, (route) => route.fulfill({ status, json }));

const problem = { message: 'The database is starting. Try again in a moment.', code: 'not_ready', request_id: 'r' };

/** The user, with a subscription in another state. */
const subscribed = (change: { status: string; isActive: boolean; current: object }) => (page: Page) =>
  page.route('**/api/user/me', async (route) => {
    const response = await route.fetch();
    const { user, subscription } = (await response.json()) as CurrentUser;
    const currentSubscription = { ...subscription.currentSubscription, status: change.status, ...change.current };
    const changed = {
      ...subscription,
      provider: 'paypal',
      status: change.status,
      hasActiveSubscription: change.isActive,
    };
    await route.fulfill({ json: { user, subscription: { ...changed, currentSubscription } } });
  });

/** The owner's project or list, with these changes to each of what is answered. */
const altered = (glob: string | RegExp, changes: object) => (page: Page) =>
  page.route(glob, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data?: object[] };
    const { data } = body;
    const json = data ? { ...body, data: data.map((item) => ({ ...item, ...changes })) } : { ...body, ...changes };
    await route.fulfill({ json });
  });

const flowsGlob = /\/api\/flows(\?.*)?$/;
const projectsGlob = /\/api\/projects(\/\d+)?$/;

const days = (count: number) => new Date(Date.now() + count * 24 * 60 * 60_000).toISOString();
const real = { provider: 'paypal', started_at: days(-36) };
const lapsed = { ...real, access_ends_at: days(-3), next_payment_at: null, paid_until: days(-6) };
const pastDue = { ...real, access_ends_at: days(2), next_payment_at: days(1), paid_until: days(-1) };
const ending = { ...real, access_ends_at: days(12), next_payment_at: null, paid_until: days(12), can_resume: true };

const subscriptions: Screen[] = [
  { name: 'subscription', viewer: 'newcomer', path: '/subscription' },
  {
    name: 'subscription-test-payment',
    viewer: 'newcomer',
    path: '/subscription',
    open: async (page) => {
      await press(/subscribe|pay/i)(page);
      await page.getByRole('button', { name: 'Approve' }).waitFor();
    },
  },
  {
    name: 'subscription-expired',
    viewer: 'owner',
    path: '/subscription',
    arrange: subscribed({ status: 'expired', isActive: false, current: lapsed }),
  },
  {
    name: 'subscription-suspended',
    viewer: 'owner',
    path: '/subscription',
    arrange: subscribed({ status: 'suspended', isActive: false, current: lapsed }),
  },
  {
    name: 'settings-past-due',
    viewer: 'owner',
    path: '/settings',
    arrange: subscribed({ status: 'past_due', isActive: true, current: pastDue }),
  },
  {
    name: 'settings-cancelled',
    viewer: 'owner',
    path: '/settings',
    arrange: subscribed({ status: 'cancelled', isActive: true, current: ending }),
  },
];

const webhookOff = {
  webhook_disabled_at: days(-1),
  webhook_disabled_reason: 'Every attempt has failed for five days.',
};
const cannotSend = {
  sending: {
    can_send: false,
    connector: null,
    reason: 'phones_inactive',
    message: 'The connected phone numbers of this project are switched off',
    until: null,
  },
};
const failedRun = { last_error: 'It took longer than 30 seconds', next_try_at: days(0.02) };

/** The code leads nowhere: nothing links a phone here, and none of the phones is connected already. */
async function openLink(page: Page): Promise<void> {
  const qr_payload = `2@${'0123456789abcdef'.repeat(12)}`;
  const qr_code = await QRCode.toDataURL(qr_payload, { margin: 1, width: 320, errorCorrectionLevel: 'L' });
  await altered('**/phone-numbers', { is_connected: false, status: 'created', error: null })(page);
  await answer('**/connect', 200, { phone_id: 1, qr_code, qr_payload, expires_at: days(0.0002) })(page);
  await press('Connect WhatsApp')(page);
  await page.getByRole('dialog').getByRole('img').first().waitFor();
}

const troubled = ({ project }: Shop): Screen[] => {
  const path = `/projects/${project.id}`;
  const notConnected = { is_connected: false, status: 'disconnected', connected_at: null };
  return [
    { name: 'webhook-off', path, arrange: altered(projectsGlob, webhookOff) },
    { name: 'webhook-off-dashboard', path: '/', arrange: altered(projectsGlob, webhookOff) },
    { name: 'cannot-send', path, arrange: altered(projectsGlob, cannotSend) },
    { name: 'cannot-send-dashboard', path: '/', arrange: altered(projectsGlob, cannotSend) },
    { name: 'qr', path, arrange: altered(projectsGlob, notConnected), open: openLink },
    { name: 'examples-shown', path, open: press('Show auth key in API usage') },
    { name: 'flows-error', path: '/flows', arrange: altered(flowsGlob, failedRun) },
    {
      name: 'flows-activate',
      path: '/flows',
      arrange: altered(flowsGlob, { active: false }),
      open: askToActivate,
    },
  ].map((screen): Screen => ({ ...screen, viewer: 'owner' }));
};

/** The list that a page shows, refused. */
const failures = ['projects', 'profiles', 'segments', 'campaigns', 'flows', 'templates', 'bulk-send', ''].map(
  (path): Screen => ({
    name: `failed-${path || 'dashboard'}`,
    viewer: 'owner',
    path: `/${path}`,
    arrange: answer(`**/api/${path === 'bulk-send' || path === '' ? 'projects' : path}*`, 409, problem),
  }),
);

const broken: Screen[] = [
  {
    name: 'failed-page',
    viewer: 'owner',
    path: '/profiles',
    arrange: async (page) => {
      await page.route('**/assets/profiles-page-*.js', (route) => route.abort());
      // As after the tries that it makes by itself, which end in a reload.
      const tries = { path: '/profiles', at: Date.now(), count: 2 };
      await page.evaluate(`sessionStorage.setItem('dovepost.page-tries', '${JSON.stringify(tries)}')`);
    },
  },
  {
    name: 'offline',
    viewer: 'owner',
    path: '/segments',
    open: async (page) => {
      await page.context().setOffline(true);
      await page.getByText('You are offline.').waitFor();
    },
  },
  {
    name: 'no-match',
    viewer: 'owner',
    path: '/profiles?search=nobody',
  },
];

const openFirst = async (page: Page) => {
  await page.getByRole('list', { name: 'Conversations' }).getByRole('button').first().click();
  await page.getByRole('log').waitFor();
};

const inbox: Screen[] = [
  { name: 'inbox', viewer: 'owner', path: '/inbox' },
  { name: 'messages', viewer: 'owner', path: '/messages' },
  { name: 'messages-empty', viewer: 'beginner', path: '/messages' },
  {
    name: 'messages-drawer',
    viewer: 'owner',
    path: '/messages?search=new+bag',
    open: async (page) => {
      await page.getByText('A new bag goes out').first().waitFor();
      await page
        .getByRole('button', { name: /Maria Lindqvist/ })
        .first()
        .click();
      await page.getByRole('dialog').getByText('What happened').waitFor();
    },
  },
  { name: 'inbox-empty', viewer: 'beginner', path: '/inbox' },
  { name: 'inbox-no-match', viewer: 'owner', path: '/inbox?search=wheelbarrow' },
  {
    name: 'inbox-failed',
    viewer: 'owner',
    path: '/inbox',
    arrange: answer('**/api/conversations?**', 503, problem),
  },
  { name: 'inbox-thread', viewer: 'owner', path: '/inbox', open: openFirst },
  {
    name: 'inbox-file',
    viewer: 'owner',
    path: '/inbox',
    open: async (page) => {
      await openFirst(page);
      await attachPicture(page, 'the-new-bags-of-this-spring-as-they-hang-in-the-window-of-our-shop.jpg');
    },
  },
  {
    name: 'inbox-blocked',
    viewer: 'owner',
    path: '/inbox',
    arrange: altered(/\/api\/conversations\/\d+$/, {
      sending: {
        can_send: false,
        connector: null,
        reason: 'no_connected_phone',
        message: 'The phone number that this person wrote to is not connected',
        until: null,
      },
    }),
    open: openFirst,
  },
  {
    name: 'inbox-contact',
    viewer: 'owner',
    path: '/inbox',
    open: async (page) => {
      await openFirst(page);
      const button = page.getByRole('button', { name: 'Show contact' });
      if (await button.isVisible()) await button.click();
    },
  },
];

export function screensOf(shop: Shop): Screen[] {
  const { project, phoneId, profileId, campaignId, runId } = shop;
  const phones = `/projects/${project.id}/phone-numbers`;
  const visitor: Screen[] = [
    { name: 'login', viewer: 'visitor', path: '/login' },
    { name: 'signup', viewer: 'visitor', path: '/signup' },
    { name: 'forgot-password', viewer: 'visitor', path: '/forgot-password' },
    { name: 'reset-password', viewer: 'visitor', path: '/reset-password?token=dpr_x' },
    { name: 'not-found', viewer: 'visitor', path: '/nowhere' },
    { name: 'components', viewer: 'developer', path: '/dev/components.html' },
  ];
  const empty = [
    '',
    'projects',
    'projects/new',
    'bulk-send',
    'bulk-send/runs',
    'profiles',
    'segments',
    'campaigns',
    'flows',
    'templates',
  ].map((path): Screen => ({
    name: `empty-${path.replaceAll('/', '-') || 'dashboard'}`,
    viewer: 'beginner',
    path: `/${path}`,
  }));
  const owner: Omit<Screen, 'viewer'>[] = [
    { name: 'dashboard', path: '/' },
    { name: 'menu', path: '/', open: press('Open menu') },
    { name: 'palette', path: '/', open: openPalette },
    { name: 'projects', path: '/projects' },
    { name: 'projects-delete', path: '/projects', open: press(/^Delete/) },
    { name: 'project', path: `/projects/${project.id}` },
    { name: 'developers', path: `/projects/${project.id}/developers` },
    { name: 'developers-new-key', path: `/projects/${project.id}/developers`, open: press('New key') },
    { name: 'developers-webhooks', path: `/projects/${project.id}/developers?tab=webhooks` },
    {
      name: 'developers-delivery',
      path: `/projects/${project.id}/developers?tab=webhooks`,
      open: press(/^message\./),
    },
    { name: 'developers-log', path: `/projects/${project.id}/developers?tab=log` },
    { name: 'first-message', path: `/projects/${project.id}/first-message` },
    { name: 'phone-numbers', path: phones },
    ...phoneScreens({ phoneId: phoneId, projectId: project.id }),
    { name: 'phone-numbers-new', path: phones, open: press('Add Phone Number') },
    { name: 'bulk-send', path: '/bulk-send' },
    { name: 'bulk-send-loaded', path: '/bulk-send', open: loadContacts },
    { name: 'bulk-send-file', path: '/bulk-send', open: bulkWithPicture },
    { name: 'bulk-runs', path: '/bulk-send/runs' },
    { name: 'bulk-runs-no-match', path: '/bulk-send/runs?search=wheelbarrow&status=paused' },
    { name: 'bulk-run', path: `/bulk-send/${runId}` },
    { name: 'bulk-run-per-day', path: `/bulk-send/${runId}`, open: press('Per day') },
    { name: 'templates', path: '/templates' },
    { name: 'templates-selected', path: '/templates', open: selectRows },
    { name: 'templates-new', path: '/templates', open: press('New Template') },
    { name: 'profiles', path: '/profiles' },
    { name: 'profiles-new', path: '/profiles', open: press('New Profile') },
    { name: 'profiles-import', path: '/profiles/import' },
    { name: 'profile', path: `/profiles/${profileId}` },
    { name: 'segments', path: '/segments' },
    { name: 'segments-edit', path: '/segments', open: press(/^Edit/) },
    { name: 'segments-selected', path: '/segments', open: selectRows },
    { name: 'segments-delete', path: '/segments', open: press(/^Delete/) },
    { name: 'campaigns', path: '/campaigns' },
    { name: 'campaigns-selected', path: '/campaigns', open: selectRows },
    { name: 'campaigns-views', path: '/campaigns?search=a', open: press(/^Views/) },
    { name: 'campaigns-save-view', path: '/campaigns?search=a', open: saveView },
    { name: 'campaigns-new', path: '/campaigns', open: press('New Campaign') },
    { name: 'campaigns-new-file', path: '/campaigns', open: withPicture('New Campaign') },
    { name: 'campaign', path: `/campaigns/${campaignId}` },
    { name: 'campaign-replied', path: `/campaigns/${campaignId}?status=replied` },
    { name: 'flows', path: '/flows' },
    { name: 'flow', path: '/flows', open: openReport },
    { name: 'flow-missing', path: '/flows/1' },
    { name: 'flows-selected', path: '/flows', open: selectRows },
    { name: 'flows-new', path: '/flows', open: press('New Flow') },
    { name: 'flows-new-file', path: '/flows', open: withPicture('New Flow') },
    { name: 'flows-edit', path: '/flows', open: chooseOfFlow('Edit') },
    { name: 'flows-deliveries', path: '/flows', open: chooseOfFlow('Deliveries') },
    { name: 'settings', path: '/settings' },
    { name: 'settings-notifications', path: '/settings/notifications' },
    { name: 'settings-sending', path: '/settings/sending' },
    { name: 'settings-data', path: '/settings/data' },
    { name: 'settings-security', path: '/settings/security' },
    { name: 'settings-team', path: '/settings/team' },
    { name: 'settings-audit', path: '/settings/audit' },
    { name: 'settings-prices', path: '/settings/prices' },
    { name: 'events', path: '/events' },
    { name: 'inbox-times', path: '/inbox/times' },
    { name: 'settings-password', path: '/settings', open: press('Change Password') },
  ];
  const owned = owner.map((screen): Screen => ({ ...screen, viewer: 'owner' }));
  return [...visitor, ...empty, ...owned, ...subscriptions, ...inbox, ...failures, ...broken, ...troubled(shop)];
}
