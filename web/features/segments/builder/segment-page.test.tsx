import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Expression } from '#contracts/expressions.ts';
import type { Segment } from '#contracts/segments.ts';
import { answerRequests, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleSegment } from '#web/testing/samples.ts';
import type { Grouped } from '../segment-dialog.tsx';
import { SegmentEditor } from '../segment-editor.tsx';

const expression: Expression = {
  all: [
    { field: 'status', op: 'equals', value: 'active' },
    { not: { field: 'custom_fields.spent', op: 'gt', value: '50' } },
  ],
};
const grouped = sampleSegment({ name: 'Quiet', condition: null, expression });

function answer(answers: Record<string, (request: Request) => Answer | Promise<Answer>> = {}): Request[] {
  return answerRequests({
    'GET /api/profile-fields': () => ({
      body: { data: [{ path: 'custom_fields.city', types: ['string'], sample: 'Madrid', profiles: 8 }] },
    }),
    'GET /api/fields': () => ({ body: { data: [] } }),
    'GET /api/profile-fields/values': () => ({ body: { data: [{ value: 'Madrid', profiles: 5 }], is_complete: true } }),
    'POST /api/segments/preview-count': () => ({ body: { count: 30, served_by: 'index' } }),
    'POST /api/segments/preview': () => ({
      body: {
        count: 2,
        total: 40,
        served_by: 'scan',
        sample: [{ id: 7, phone: '34612345678', cc: '34', number: '612345678', country_code: 'ES', name: 'Ada' }],
        lines: [
          { path: 'expression', count: 2, unreadable: 0 },
          { path: 'expression.all.0', count: 12, unreadable: 0 },
          { path: 'expression.all.1', count: 20, unreadable: 3 },
        ],
      },
    }),
    'POST /api/segments/explain': () => ({
      body: {
        matches: true,
        tree: {
          all: [
            { field: 'status', op: 'equals', value: 'active', matches: true },
            { not: { field: 'custom_fields.spent', op: 'gt', value: 12, matches: false }, matches: true },
          ],
          matches: true,
        },
      },
    }),
    'GET /api/segments/9/profiles': () => ({ body: { data: [], count: 0 } }),
    'GET /api/segments/counts': () => ({
      body: { data: [{ id: 9, count: 30, counted_at: '2026-11-25T10:00:00Z', days: [] }] },
    }),
    'GET /api/segments/9/usage': () => ({ body: { data: [], total: 0, finished_campaigns: 0 } }),
    'POST /api/segments': () => ({ status: 201, body: grouped }),
    'PUT /api/segments/9': () => ({ body: grouped }),
    ...answers,
  });
}

function Editor({ segment }: { segment: Segment | undefined }) {
  const [typed, setTyped] = useState<Grouped>();
  return (
    <SegmentEditor
      segment={segment}
      isGrouped={typed !== undefined || segment?.condition === null}
      typed={typed}
      onClose={() => undefined}
      onGroup={setTyped}
    />
  );
}

const show = (segment?: Segment) => render(inRouter(<Editor segment={segment} />, '/segments').page);

const sent = (requests: Request[], method: string, path: string): Promise<unknown> | undefined =>
  requests.find((request) => request.method === method && new URL(request.url).pathname === path)?.json();

beforeEach(() => page.viewport(1280, 900));

test('a condition becomes several, by keyboard, with the typed one as the first', async () => {
  const requests = answer();
  show();
  await page.getByRole('textbox', { name: 'Name' }).fill('In Madrid');
  await page.getByRole('combobox', { name: 'Field Path' }).fill('status');
  await page.getByRole('combobox', { name: 'Value' }).fill('active');
  await page.getByRole('button', { name: 'Several conditions' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('In Madrid');
  await page.getByRole('button', { name: 'Field', exact: true }).click();
  const field = page.getByRole('combobox', { name: 'Field', exact: true });
  await field.nth(1).fill('custom_fields.city');
  await page.getByRole('combobox', { name: 'Operator' }).nth(1).selectOptions('in');
  await page.getByRole('combobox', { name: 'Value' }).nth(1).fill('Madrid, Sevilla');
  await page.getByRole('combobox', { name: 'Match' }).selectOptions('any');
  await expect.element(page.getByText('Status is “active” or City is one of “Madrid”, “Sevilla”.')).toBeVisible();
  await expect.element(page.getByText('Matches 2 of 40 profiles')).toBeVisible();
  await page.getByRole('button', { name: 'Create Segment' }).click();
  await expect.element(page.getByText('Segment created')).toBeVisible();
  expect(await sent(requests, 'POST', '/api/segments')).toEqual({
    name: 'In Madrid',
    expression: {
      any: [
        { field: 'status', op: 'equals', value: 'active' },
        { field: 'custom_fields.city', op: 'in', value: ['Madrid', 'Sevilla'] },
      ],
    },
  });
});

test('each condition has its own count, with those whose value cannot be read', async () => {
  answer();
  show(grouped);
  await expect.element(page.getByText('12 people')).toBeVisible();
  await expect.element(page.getByText('20 people · 3 left out: the value cannot be read as this')).toBeVisible();
  await page.getByRole('button', { name: 'Why?' }).click();
  await expect.element(page.getByText('Spent is not more than 50 — has 12')).toBeVisible();
});

test('how often an event was is said beside what is asked, and a part that is not counted yet says so', async () => {
  const event = { event: 'Order placed', times: { op: '>=', n: 2 }, window: { last: 30, unit: 'days' } } as const;
  answer({
    'POST /api/segments/preview': () => ({
      body: {
        count: 1,
        total: 40,
        served_by: 'scan',
        sample: [{ id: 7, phone: '34612345678', cc: '34', number: '612345678', country_code: 'ES', name: 'Ada' }],
        lines: [{ path: 'expression', count: 1, unreadable: 0 }],
      },
    }),
    'POST /api/segments/explain': () => ({
      body: { matches: true, tree: { all: [{ ...event, value: 3, matches: true }], matches: true } },
    }),
  });
  show(sampleSegment({ name: 'Buyers', condition: null, expression: { all: [event] } }));
  await expect.element(page.getByText('times in the last', { exact: true })).toBeVisible();
  await expect.element(page.getByRole('list', { name: 'Each condition by itself' })).toHaveTextContent('not counted');
  await page.getByRole('button', { name: 'Why?' }).click();
  const answered = '“Order placed” at least 2 times in the last 30 days — it was 3 times';
  await expect.element(page.getByText(answered)).toBeVisible();
});

test('a count that was taken among some people is said to be about so many', async () => {
  answer({
    'POST /api/segments/preview': () => ({
      body: {
        count: 380_000,
        is_estimate: true,
        total: 1_000_000,
        served_by: 'scan',
        sample: [],
        lines: [
          { path: 'expression', count: 380_000, unreadable: 0, is_estimate: true },
          { path: 'expression.all.0', count: 390_000, unreadable: 0, is_estimate: true },
        ],
      },
    }),
  });
  const event = { event: 'Order placed', times: { op: '>=', n: 2 }, window: { last: 30, unit: 'days' } } as const;
  show(sampleSegment({ name: 'Buyers', condition: null, expression: { all: [event] } }));
  await expect.element(page.getByText('Matches about 380,000 of 1,000,000 profiles')).toBeVisible();
  await expect.element(page.getByText('about 390,000 people')).toBeVisible();
  const conditions = page.getByRole('list', { name: 'Each condition by itself' });
  await expect.element(conditions).toHaveTextContent('about 390,000');
});

test('people who miss one condition are listed with it, when they join, and why', async () => {
  const requests = answer({
    'POST /api/segments/nearly': async (request) => {
      const { offset } = (await request.clone().json()) as { offset: number };
      const member = { country_code: 'PT', cc: '351', number: '912310002', name: null };
      const data = Array.from({ length: offset === 0 ? 5 : 1 }, (_, index) => ({
        ...member,
        id: 20 + offset + index,
        phone: `35191231000${offset + index}`,
        missing: index === 0 ? 'expression.all.1' : 'expression.all.0',
        joins_at: index === 0 ? '2026-12-01T10:12:00.000Z' : null,
      }));
      return { body: { data, count: 6 } };
    },
  });
  show(grouped);
  await expect.element(page.getByText('Matches 2 of 40 profiles')).toBeVisible();
  expect(sent(requests, 'POST', '/api/segments/nearly')).toBeUndefined();
  await page.getByRole('button', { name: 'Nearly in it' }).click();
  await expect.element(page.getByText('6 people miss one condition')).toBeVisible();
  const list = page.getByRole('list', { name: 'Nearly in it' });
  await expect.element(list.getByText(/^Missing: Spent is not more than 50 · joins 1 Dec 2026/)).toBeVisible();
  await list.getByRole('button', { name: 'Why?' }).first().click();
  await expect.element(list.getByText('Spent is not more than 50 — has 12')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.element(page.getByText('6 to 6 of 6')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Next' })).toBeDisabled();
});

test('a refusal of the server stands at its condition', async () => {
  answer({
    'PUT /api/segments/9': () => ({
      status: 422,
      body: {
        code: 'invalid_input',
        message: 'Invalid input',
        request_id: 'test',
        errors: [{ path: 'expression.all.1.not.value', message: 'Enter a number or a time' }],
      },
    }),
  });
  show(grouped);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Enter a number or a time');
});

test('an incomplete condition is named before anything is sent', async () => {
  const requests = answer();
  show(grouped);
  await page.getByRole('button', { name: 'Field', exact: true }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Choose a field');
  expect(sent(requests, 'PUT', '/api/segments/9')).toBeUndefined();
});

test('a type is chosen where a field is asked, and leaves the operators that fit', async () => {
  let type: string | null = null;
  const typed = () => ({
    path: 'custom_fields.spent',
    label: null,
    type,
    state: type === null ? null : 'building',
    types: ['string'],
    samples: ['50'],
    profiles: 8,
  });
  const requests = answer({
    'GET /api/fields': () => ({ body: { data: [typed()] } }),
    'PUT /api/fields/custom_fields.spent': () => {
      type = 'list';
      return { body: typed() };
    },
  });
  show(grouped);
  const operator = page.getByRole('combobox', { name: 'Operator' }).nth(1);
  await expect.element(operator.getByRole('option', { name: 'is in the last', exact: true })).toBeInTheDocument();
  await page.getByRole('combobox', { name: 'Spent: all segments read its values' }).selectOptions('as lists');
  await expect.element(operator.getByRole('option', { name: 'is in the last', exact: true })).not.toBeInTheDocument();
  await expect.element(operator.getByRole('option', { name: 'includes', exact: true })).toBeInTheDocument();
  await expect.element(operator).toHaveDisplayValue('not: is more than');
  expect(await sent(requests, 'PUT', '/api/fields/custom_fields.spent')).toEqual({ type: 'list' });
  await expect.element(page.getByText('Still being indexed: counts are right, only slower.')).toBeVisible();
});

test('a draft of several conditions is taken up again', async () => {
  answer({
    'GET /api/drafts': () => ({
      body: {
        data: [{ kind: 'segment', key: '9:groups', revision: 3, updated_at: new Date().toISOString(), name: null }],
      },
    }),
    'GET /api/drafts/segment/9%3Agroups': () => ({
      body: {
        kind: 'segment',
        key: '9:groups',
        revision: 3,
        updated_at: new Date().toISOString(),
        content: { expression: JSON.stringify({ any: [{ field: 'custom_fields.city', op: 'in', value: ['Porto'] }] }) },
      },
    }),
  });
  show(grouped);
  await expect.element(page.getByText('This is your draft from')).toBeVisible();
  await expect.element(page.getByText('City is one of “Porto”.')).toBeVisible();
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Quiet');
});
