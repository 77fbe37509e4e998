import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { PhoneHealth, PhoneLogEntry } from '#contracts/phone-health.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleHealth, samplePhone } from '#web/testing/samples.ts';
import { CareCard } from './care-card.tsx';
import { axisEnd } from './days-card.tsx';
import { LogCard } from './log-card.tsx';
import { StateCard } from './state-card.tsx';
import { WarmUpCard } from './warm-up-card.tsx';

const until = '2026-11-21T09:40:00.000Z';

test.each<[string, Partial<PhoneHealth>, RegExp, RegExp, RegExp]>([
  ['warming up', {}, /Warming up, on course/, /17of 25 today/, /142of 300 today/],
  [
    'limited for strangers',
    { state: 'limited', code: 'time_lock', until },
    /First contacts are stopped until 21 Nov 2026/,
    /Stoppeduntil 21 Nov/,
    /142of 300 today/,
  ],
  [
    'stopped for all',
    { state: 'limited', code: 'known_refused', until },
    /Queued messages are stopped until/,
    /Stopped/,
    /Stopped/,
  ],
  [
    'unprotected',
    { state: 'healthy', code: null, is_protected: false },
    /Healthy/,
    /17today, without a limit/,
    /without a limit/,
  ],
])('a number that is %s says so, and what it may send', async (_case, changes, title, first, known) => {
  render(<StateCard health={sampleHealth(changes)} />);
  await expect.element(page.getByRole('heading', { level: 2 })).toHaveTextContent(title);
  await expect.element(page.getByRole('region', { name: 'First contacts today' })).toHaveTextContent(first);
  await expect.element(page.getByRole('region', { name: 'Known contacts today' })).toHaveTextContent(known);
});

test('protection goes off only once the warning has been read, and on at once', async () => {
  const health = sampleHealth();
  const phone = samplePhone({ health });
  const requests = answerRequests({ 'PUT /api/phone-numbers/7': () => ({ body: phone }) });
  const changes = () => requests.filter(({ method }) => method === 'PUT');
  render(<CareCard phone={phone} health={health} />);
  const protection = page.getByRole('switch', { name: 'Protection' });
  await protection.click();
  const dialog = page.getByRole('alertdialog');
  await expect.element(dialog).toHaveTextContent(/locked within hours/);
  expect(changes()).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await protection.click();
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await expect.poll(() => changes().length).toBe(1);
  expect(await changes()[0]?.json()).toEqual({ protection: { is_protected: false } });
});

test('switched off, it says what can happen, and is on again with one click', async () => {
  const health = sampleHealth({ is_protected: false });
  const requests = answerRequests({
    'PUT /api/phone-numbers/7': () => ({ body: samplePhone({ health: sampleHealth() }) }),
  });
  const changes = () => requests.filter(({ method }) => method === 'PUT');
  render(<CareCard phone={samplePhone({ health })} health={health} />);
  await expect.element(page.getByText(/banned within days/)).toBeVisible();
  await page.getByRole('switch', { name: 'Protection' }).click();
  await expect.poll(() => changes().length).toBe(1);
  expect(await changes()[0]?.json()).toEqual({ protection: { is_protected: true } });
});

const steps = [
  { from_day: 1, first_contacts: 10, known: 100 },
  { from_day: 8, first_contacts: 25, known: 300 },
  { from_day: 29, first_contacts: 100, known: 1000 },
];

test.each<[number, string | null, RegExp, RegExp]>([
  [9, '2026-11-23', /Next step on 23 November 2026/, /Today is day 9, 25 a day/],
  [9, null, /No step for now/, /Today is day 9, held at 25 a day/],
  [29, null, /no more steps/, /Today is day 29, 100 a day/],
])('on day %i of the warm-up with the next step on %s', async (day, next, text, label) => {
  render(<WarmUpCard warmUp={{ day, steps, next_step_on: next }} health={sampleHealth()} />);
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(page.getByRole('img', { name: label })).toBeVisible();
});

test('the log says what was said, of whom, and what followed, page by page', async () => {
  const entry = (id: number): PhoneLogEntry => ({
    id,
    at: until,
    kind: 'refused',
    message: 'A new chat was refused (error 463).',
    effect: `It was number ${id}.`,
    number: '4915155501973',
    until: null,
  });
  answerRequests({
    'GET /api/phone-numbers/7/log': (request) => {
      const current = Number(new URL(request.url).searchParams.get('page'));
      return { body: { data: [entry(current)], total: 11, page: current, pageSize: 10 } };
    },
  });
  render(<LogCard phoneId={7} />);
  await expect
    .element(page.getByRole('listitem'))
    .toHaveTextContent(/\+49 1515 5501973: A new chat was refused.*It was number 1/);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.element(page.getByRole('listitem')).toHaveTextContent(/It was number 2/);
});

test.each([
  [0, 4],
  [5, 6],
  [10, 10],
  [236, 400],
  [1000, 1000],
])('the axis for %i messages ends at %i', (most, end) => {
  expect(axisEnd(most)).toBe(end);
});
