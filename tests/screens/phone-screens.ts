import type { Page } from 'playwright';
import type { PhoneHealth, PhoneHealthHistory, PhoneLogEntry } from '#contracts/phone-health.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Screen } from './screens.ts';

const hourMs = 60 * 60_000;
const hoursOn = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
const dateOf = (daysAgo: number) => hoursOn(-24 * daysAgo).slice(0, 10);

const health: PhoneHealth = {
  state: 'warming',
  code: 'warming_up',
  reason: 'This number is warming up: it may send a little more each week, so that WhatsApp gets to know it.',
  simulated: false,
  until: null,
  allowances: { first_contacts: { allowed: 25, used: 17 }, known: { allowed: 300, used: 142 } },
  delivered_share_24h: 0.957,
  answered_share_24h: 0.209,
  warm_up_day: 12,
  is_protected: true,
  quiet_hours: true,
  older_account: false,
};

const limited: PhoneHealth = {
  ...health,
  state: 'limited',
  code: 'time_lock',
  until: hoursOn(20),
  reason:
    'WhatsApp locks new chats of this number. Nothing is lost: queued messages wait, and people who wrote to it are still answered. Linking it again now would make it worse.',
};

const phone = (changes: Partial<PhoneNumber>): Partial<PhoneNumber> => ({
  name: 'Support PT',
  phone_number: '351210555480',
  connector: 'whatsapp',
  status: 'connected',
  is_connected: true,
  is_active: true,
  error: null,
  connected_at: hoursOn(-11 * 24),
  daily_message_count: 159,
  health,
  ...changes,
});

const steps = [
  [1, 10, 100],
  [4, 15, 200],
  [8, 25, 300],
  [15, 40, 500],
  [22, 60, 800],
  [29, 100, 1_000],
].map(([from_day = 1, first_contacts = 1, known = 1]) => ({ from_day, first_contacts, known }));

const sent = [40, 90, 112, 150, 172, 165, 126, 74, 149, 212, 236, 219, 159, 142];

const history = (isHeld: boolean): PhoneHealthHistory => ({
  warm_up: { day: 12, steps, next_step_on: isHeld ? null : dateOf(-3) },
  days: sent.map((count, index) => ({
    date: dateOf(sent.length - 1 - index),
    sent: count,
    delivered: Math.round(count * 0.96),
    answered: Math.round(count * 0.2),
  })),
});

const entry = (id: number, rest: Partial<PhoneLogEntry>): PhoneLogEntry => ({
  id,
  at: hoursOn(-id * 19),
  kind: 'cap',
  message: '',
  effect: '',
  number: null,
  until: null,
  ...rest,
});

const log = [
  entry(1, {
    kind: 'time_lock',
    message: 'New chats are locked.',
    effect: 'First contacts stopped. They wait ten minutes longer than WhatsApp asks.',
    until: hoursOn(20),
  }),
  entry(2, {
    kind: 'refused',
    number: '4915155501973',
    message: 'A new chat was refused (error 463).',
    effect: 'First contacts stopped. The message went back to its queue, it did not fail.',
  }),
  entry(3, { message: '164 of 1,000 new chats of this cycle are used.', effect: 'Well below the cap.' }),
  entry(4, {
    kind: 'step',
    message: 'The warm-up took a step.',
    effect: '25 first contacts and 300 known ones a day.',
  }),
  entry(5, {
    kind: 'look_ups_paused',
    message: 'WhatsApp answers no questions about numbers for now.',
    effect: 'Messages to numbers that it was never asked about wait.',
  }),
  entry(6, {
    kind: 'linked',
    message: 'This number was linked.',
    effect: 'The warm-up began. Nobody new is written to for 24 hours, unless the account is older.',
  }),
];

/** A real number has been linked: what it would answer stands in for it. */
const played =
  (change: Partial<PhoneNumber>, { isHeld = false, hasLog = true } = {}) =>
  async (page: Page) => {
    await page.route(/\/api\/phone-numbers\/\d+$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...((await response.json()) as object), ...phone(change) } });
    });
    await page.route(/\/api\/phone-numbers\/\d+\/health$/, (route) => route.fulfill({ json: history(isHeld) }));
    const data = hasLog ? log : [];
    await page.route(/\/api\/phone-numbers\/\d+\/log/, (route) =>
      route.fulfill({ json: { data, total: hasLog ? 42 : 0, page: 1, pageSize: 10 } }),
    );
  };

const proxied = { proxy: 'socks5://proxy.example.com:1080' };

const tried = (works: boolean, message: string) => async (page: Page) => {
  await played(proxied)(page);
  await page.route(/\/api\/phone-numbers\/\d+\/proxy\/test$/, (route) => route.fulfill({ json: { works, message } }));
};

const openEdit = (page: Page) => page.getByRole('button', { name: 'Edit' }).click();

async function tryProxy(page: Page): Promise<void> {
  await openEdit(page);
  await page.getByRole('button', { name: 'Test proxy' }).click();
  await page.getByText(/was reached|could not be used/).waitFor();
}

async function mistypeProxy(page: Page): Promise<void> {
  await openEdit(page);
  await page.getByLabel('Proxy (Optional)').fill('proxy.example.com:1080');
  await page.getByRole('button', { name: 'Test proxy' }).click();
}

/** The phones of a project, as in `played`. */
const listed = (page: Page) =>
  page.route(/\/api\/projects\/\d+\/phone-numbers(\?.*)?$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object[] };
    const changes = [
      phone({}),
      phone({ name: 'Sales DE', health: limited }),
      phone({ name: 'Lisbon', health: { ...health, is_protected: false } }),
    ];
    await route.fulfill({ json: { ...body, data: body.data.map((item, index) => ({ ...item, ...changes[index] })) } });
  });

export function phoneScreens({ phoneId, projectId }: { phoneId: number; projectId: number }): Screen[] {
  const path = `/phone-numbers/${phoneId}`;
  return [
    { name: 'phone-warming', viewer: 'owner', path, arrange: played({}) },
    { name: 'phone-limited', viewer: 'owner', path, arrange: played({ health: limited }, { isHeld: true }) },
    {
      name: 'phone-unprotected',
      viewer: 'owner',
      path,
      arrange: played(
        { health: { ...health, is_protected: false, quiet_hours: false } },
        { isHeld: true, hasLog: false },
      ),
    },
    { name: 'phone-sandbox', viewer: 'owner', path },
    { name: 'phone-missing', viewer: 'owner', path: '/phone-numbers/999999' },
    {
      name: 'phone-protection',
      viewer: 'owner',
      path,
      arrange: played({}),
      open: (page) => page.getByRole('switch', { name: 'Protection' }).click(),
    },
    {
      name: 'phone-edit',
      viewer: 'owner',
      path,
      arrange: played({ health: { ...health, is_protected: false } }),
      open: openEdit,
    },
    {
      name: 'phone-proxy-works',
      viewer: 'owner',
      path,
      arrange: tried(true, 'WhatsApp was reached through the proxy in 212 ms.'),
      open: tryProxy,
    },
    {
      name: 'phone-proxy-refused',
      viewer: 'owner',
      path,
      arrange: tried(false, 'The proxy of this phone could not be used: it refuses the user name and password.'),
      open: tryProxy,
    },
    { name: 'phone-proxy-mistyped', viewer: 'owner', path, arrange: played(proxied), open: mistypeProxy },
    {
      name: 'phone-proxy-down',
      viewer: 'owner',
      path,
      arrange: played({
        ...proxied,
        status: 'disconnected',
        is_connected: false,
        error:
          'The proxy of this phone could not be used: connection refused. It is tried again by itself; change it under Edit.',
      }),
    },
    { name: 'phone-numbers-health', viewer: 'owner', path: `/projects/${projectId}/phone-numbers`, arrange: listed },
    { name: 'project-health', viewer: 'owner', path: `/projects/${projectId}`, arrange: listed },
  ];
}
