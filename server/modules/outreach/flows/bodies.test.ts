import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFlow, previewFlowCount, updateFlow } from '#contracts/flows.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { addProfile, draft, hasEmail, isInstalled, makeFlow, makeFlowScene } from '#tests/support/flow-scene.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

test('conditions come as a list, one object, or the JSON text of either', async () => {
  const on = await makeFlowScene(app);
  await addProfile(on, 1);
  for (const conditions of [[hasEmail], hasEmail, JSON.stringify([hasEmail]), JSON.stringify(hasEmail)]) {
    expect((await makeFlow(on, { conditions })).conditions).toEqual([hasEmail]);
  }
  const flow = await makeFlow(on, {
    duration: { type: 'last_minutes', minutes: '90' },
    frequency: { type: 'once_per_days', value: '3' },
  });
  expect(flow.duration).toEqual({ type: 'last_minutes', minutes: 90, dateFieldPath: 'updated_at' });
  expect(flow.frequency).toEqual({ type: 'once_per_days', value: 3 });
});

test('a body with name, conditions and action alone gets the defaults', async () => {
  const on = await makeFlowScene(app);
  const { name, conditions, action } = draft(on);
  const { body } = await on.customer.api.call(createFlow, { body: { name, conditions, action } });
  expect(body).toMatchObject({
    active: true,
    duration: { type: 'last_hours', hours: 24, dateFieldPath: 'updated_at' },
    frequency: { type: 'lifetime', value: null },
  });
});

test.each<[string, object, string[]]>([
  ['no name', { name: ' ' }, ['name']],
  ['no conditions', { conditions: [] }, ['conditions']],
  ['conditions that are no JSON', { conditions: '[{"fieldPath":' }, ['conditions']],
  ['JSON that is no condition', { conditions: '"email"' }, ['conditions']],
  ['a number for conditions', { conditions: 5 }, ['conditions']],
  ['null for conditions', { conditions: null }, ['conditions']],
  ['a condition that is none', { conditions: [hasEmail, null] }, ['conditions.1']],
  ['NUL in JSON text', { conditions: JSON.stringify({ ...hasEmail, value: '\u0000' }) }, ['conditions.0.value']],
  ['half of a surrogate pair', { conditions: [{ ...hasEmail, value: 'a\ud800' }] }, ['conditions.0.value']],
  [
    'half of one in a field',
    { conditions: [{ ...hasEmail, fieldPath: 'custom_fields.\ud800' }] },
    ['conditions.0.fieldPath'],
  ],
  [
    'half of one in a field of a condition by itself',
    { conditions: { ...hasEmail, fieldPath: 'custom_fields.\ud800' } },
    ['conditions.fieldPath'],
  ],
  ['an object for a value', { conditions: [{ ...hasEmail, value: {} }] }, ['conditions.0.value']],
  ['a value too long', { conditions: [{ ...hasEmail, value: 'x'.repeat(1001) }] }, ['conditions.0.value']],
  ['an unknown operator', { conditions: [hasEmail, { ...hasEmail, operator: 'like' }] }, ['conditions.1.operator']],
  ['no field', { conditions: [{ ...hasEmail, fieldPath: '' }] }, ['conditions.0.fieldPath']],
  ['an unknown column', { conditions: [{ ...hasEmail, fieldPath: 'shoe' }] }, ['conditions.0.fieldPath']],
  ['a field that nobody has', { conditions: [hasEmail, isInstalled] }, ['conditions.1.fieldPath']],
  [
    'a date that is no number of days',
    { conditions: [{ fieldPath: 'created_at', operator: 'after_days_ago', value: 'soon' }] },
    ['conditions.0.value'],
  ],
  ['twenty-one conditions', { conditions: Array.from({ length: 21 }, () => hasEmail) }, ['conditions']],
  ['a duration of nothing', { duration: { type: 'last_hours', hours: 0 } }, ['duration.hours']],
  ['a duration of text', { duration: { type: 'last_days', days: 'ten' } }, ['duration.days']],
  ['half a minute', { duration: { type: 'last_minutes', minutes: 0.5 } }, ['duration.minutes']],
  ['another unit', { duration: { type: 'last_weeks', weeks: 1 } }, ['duration.type', 'duration.weeks']],
  [
    'a date field that nobody has',
    { duration: { type: 'last_hours', hours: 1, dateFieldPath: 'custom_fields.seen' } },
    ['duration.dateFieldPath'],
  ],
  ['a frequency without a value', { frequency: { type: 'once_per_hours' } }, ['frequency.value']],
  ['a frequency of none', { frequency: { type: 'once_per_days', value: 0 } }, ['frequency.value']],
  ['another frequency', { frequency: { type: 'hourly' } }, ['frequency.type']],
  ['no project', { action: { type: 'send_message', message: 'Hi' } }, ['action.projectId']],
  ['no message', { action: { type: 'send_message', projectId: 1, message: ' ' } }, ['action.message']],
  ['a message too long', { action: { projectId: 1, message: 'x'.repeat(4097) } }, ['action.message']],
  ['another action', { action: { type: 'call', projectId: 1, message: 'Hi' } }, ['action.type']],
  ['no action', { action: undefined }, ['action']],
  ['null for the duration', { duration: null }, ['duration']],
  ['text for active', { active: 'yes' }, ['active']],
  [
    'every field that no profile has, all at once',
    {
      conditions: [hasEmail, { ...hasEmail, fieldPath: 'custom_fields.none' }],
      duration: { type: 'last_hours', hours: 1, dateFieldPath: 'custom_fields.seen' },
    },
    ['conditions.1.fieldPath', 'duration.dateFieldPath'],
  ],
])('%s is a 422', async (_name, values, paths) => {
  const on = await makeFlowScene(app);
  await addProfile(on, 1);
  const refused = await on.customer.api.refuse(createFlow, { body: { ...draft(on), ...values } });
  expect([refused.status, refused.body.errors?.map(({ path }) => path)]).toEqual([422, paths]);
  expect(refused.body.message).not.toMatch(/^Invalid/);
});

test("conditions that are no JSON, and another account's project, are refused in words", async () => {
  const on = await makeFlowScene(app);
  const other = await makeFlowScene(app);
  const noJson = await on.customer.api.refuse(createFlow, { body: { ...draft(on), conditions: '{' } });
  expect(noJson.body.message).toBe('Conditions are not valid JSON');
  const foreign = await on.customer.api.refuse(createFlow, { body: draft(other) });
  expect([foreign.status, foreign.body.message]).toEqual([404, 'Project not found']);
  const flow = await makeFlow(on);
  const moved = await on.customer.api.refuse(updateFlow, {
    params: { flowId: flow.id },
    body: { action: draft(other).action },
  });
  expect([moved.status, moved.body.message]).toEqual([404, 'Project not found']);
});

test('the preview counts all who match, and who of them get nothing', async () => {
  const on = await makeFlowScene(app);
  await addProfile(on, 1, { custom_fields: { installed: true, seen: new Date().toISOString() } });
  await addProfile(on, 2, { custom_fields: { installed: 'true', seen: Date.now() - 30 * 60_000 } });
  await addProfile(on, 3, { phone: '19995550100', custom_fields: { installed: true, seen: String(Date.now() - 10) } });
  await addProfile(on, 4, { custom_fields: { installed: true, seen: Date.now() + 3_600_000 } });
  await addProfile(on, 5, { custom_fields: { installed: true, seen: 'yesterday' } });
  const count = async (body: object) => (await on.customer.api.call(previewFlowCount, { body })).body;
  expect(await count({ conditions: isInstalled })).toEqual({ count: 5, skipped: 1, is_estimate: false, warning: null });
  const seen = (minutes: number) => ({
    conditions: JSON.stringify([isInstalled, hasEmail]),
    duration: { type: 'last_minutes', minutes, dateFieldPath: 'custom_fields.seen' },
  });
  expect(await count(seen(60))).toEqual({ count: 3, skipped: 1, is_estimate: false, warning: null });
  expect(await count(seen(20))).toEqual({ count: 2, skipped: 1, is_estimate: false, warning: null });
  expect(await count({ conditions: { ...isInstalled, fieldPath: 'custom_fields.none' } })).toEqual({
    count: 0,
    skipped: 0,
    is_estimate: false,
    warning: null,
  });
});
