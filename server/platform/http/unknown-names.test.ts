import { expect, test } from 'vitest';
import { z } from 'zod';
import { unknownNames } from '#contracts/unknown-names.ts';
import { createCampaign, updateCampaign } from '#contracts/campaigns.ts';
import { endpoints } from '#contracts/index.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { createFlow, updateFlow } from '#contracts/flows.ts';
import { sendMessage } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { createProfile, updateProfile } from '#contracts/profiles.ts';
import { updateWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { parseRequest } from './parse-request.ts';

const valueOf: Readonly<Record<string, string>> = { path: 'custom_fields.city', kind: 'campaign' };
const paramOf = (name: string) => valueOf[name] ?? '14155550132';

function refusals(endpoint: Endpoint, { query = {}, body }: { query?: unknown; body?: unknown }) {
  const params = Object.fromEntries(Object.keys(endpoint.params?.shape ?? {}).map((name) => [name, paramOf(name)]));
  try {
    parseRequest(endpoint, { params, query, headers: {}, body });
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return (error.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
  }
}

const message = { to: '14155550132', message: 'Hello' };
const campaign = { name: 'Sale', project_id: 1, segment_id: 1, message: 'Hello' };
const flow = {
  name: 'Welcome',
  conditions: [{ fieldPath: 'name', operator: 'exists' }],
  action: { projectId: 1, message: 'Hi' },
};

test.each<[string, Endpoint, { query?: unknown; body?: unknown }, string[]]>([
  [
    'a misspelt time',
    sendMessage,
    { body: { ...message, sendAt: 'x' } },
    ['sendAt: Unknown field sendAt. Did you mean send_at?'],
  ],
  [
    'a misspelt exception',
    sendMessage,
    { body: { ...message, overrideOptOut: true } },
    ['overrideOptOut: Unknown field overrideOptOut. Did you mean override_opt_out?'],
  ],
  [
    'a field inside of a field',
    sendMessage,
    { body: { ...message, type: 'image', media: { id: 'a', fileName: 'b' } } },
    ['media.fileName: Unknown field fileName'],
  ],
  [
    'a field inside of a list',
    sendMessage,
    {
      body: { to: '14155550132', type: 'contact', contacts: [{ name: 'Ada', phones: [{ phone: '1', kind: 'home' }] }] },
    },
    ['contacts.0.phones.0.kind: Unknown field kind'],
  ],
  ['pairs of metadata', sendMessage, { body: { ...message, metadata: { any_name: 'x' } } }, []],
  ['what fields a profile has', createProfile, { body: { phone: '14155550132', custom_fields: { a: { b: 1 } } } }, []],
  [
    'the time of a message on a campaign',
    createCampaign,
    { body: { ...campaign, send_at: 'x' } },
    ['send_at: Unknown field send_at. Here it is called when.'],
  ],
  [
    'the same on a change',
    updateCampaign,
    { body: { send_at: 'x' } },
    ['send_at: Unknown field send_at. Here it is called when.'],
  ],
  [
    'what reading a campaign answered',
    updateCampaign,
    { body: { ...campaign, id: 1, status: 'running', total_count: 3, media: null } },
    [],
  ],
  [
    'what reading a campaign answered, on a new one',
    createCampaign,
    { body: { ...campaign, id: 1 } },
    ['id: Unknown field id'],
  ],
  [
    'what reading a profile answered',
    updateProfile,
    { body: { id: 1, phone: '14155550132', cc: '1', created_at: 'x' } },
    [],
  ],
  [
    'a paused endpoint',
    updateWebhookEndpoint,
    { body: { paused: true } },
    ['paused: Unknown field paused. Did you mean is_paused?'],
  ],
  [
    'a field of another variant',
    createFlow,
    { body: { ...flow, duration: { type: 'last_days', days: 1, hours: 2 } } },
    [],
  ],
  [
    'a field of no variant',
    createFlow,
    { body: { ...flow, duration: { type: 'last_days', days: 1, weeks: 2 } } },
    ['duration.weeks: Unknown field weeks'],
  ],
  [
    'a condition that is given alone',
    createFlow,
    { body: { ...flow, conditions: { fieldPath: 'name', operator: 'exists', values: 'x' } } },
    ['conditions.0.values: Unknown field values. Did you mean value?'],
  ],
  [
    'conditions as text',
    createFlow,
    { body: { ...flow, conditions: '[{"fieldPath":"name","operator":"exists","values":"x"}]' } },
    ['conditions.0.values: Unknown field values. Did you mean value?'],
  ],
  [
    'a file as it was answered',
    updateFlow,
    {
      body: {
        action: {
          type: 'send_message',
          projectId: 1,
          project_id: 1,
          message: 'Hi',
          media: { id: 'a', type: 'image', mime_type: 'image/png', file_name: null, size: 1, sha256: 'x' },
        },
      },
    },
    [],
  ],
  [
    'a query',
    listPhoneNumbers,
    { query: { page_size: '5', foo: '1' } },
    ['page_size: Unknown field page_size. Did you mean pageSize?', 'foo: Unknown field foo'],
  ],
])('%s', (_name, endpoint, parts, expected) => {
  expect(refusals(endpoint, parts)).toEqual(expected);
});

const named = (list: readonly Endpoint[]): [string, Endpoint][] =>
  list.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]);

test.each(named(endpoints.filter(({ isHook }) => !isHook)))(
  '%s refuses an unknown name in query and body',
  (_name, endpoint) => {
    const said = refusals(endpoint, { query: { qqqq: '1' }, body: { zzzz: 1 } });
    expect(said).toContain('qqqq: Unknown field qqqq');
    if (!endpoint.consumes) expect(said).toContain('zzzz: Unknown field zzzz');
  },
);

test.each(named(endpoints.filter(({ isHook }) => isHook)))('%s, which others call, refuses none', (_name, endpoint) => {
  expect(refusals(endpoint, { query: { qqqq: '1' }, body: { zzzz: 1 } })).toEqual([]);
});

test('an answer of GET may come back in PUT or PATCH', () => {
  const answerOfGet = (path: string) =>
    endpoints.find((endpoint) => endpoint.method === 'GET' && endpoint.path === path)?.response[200];
  const refused = endpoints.flatMap((endpoint) => {
    if (endpoint.method !== 'PUT' && endpoint.method !== 'PATCH') return [];
    const answer = answerOfGet(endpoint.path);
    // Lists, and the user with their account around them, are not the thing itself.
    if (endpoint.path === '/api/user/me' || (answer instanceof z.ZodObject && 'data' in answer.shape)) return [];
    if (!(answer instanceof z.ZodObject) || !(endpoint.body instanceof z.ZodObject)) return [];
    const body = Object.fromEntries(Object.keys(answer.shape).map((name) => [name, null]));
    return unknownNames(body, { schema: endpoint.body, answer: endpoint.response[200], most: 10 }).map(
      ({ path }) => `${endpoint.method} ${endpoint.path} ${path}`,
    );
  });
  expect(refused).toEqual([]);
});
