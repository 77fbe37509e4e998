import { afterAll, beforeAll, expect, test } from 'vitest';
import { previewCampaign } from '#contracts/campaigns.ts';
import type { Expression } from '#contracts/expressions.ts';
import { createFlow, previewFlow, previewFlowCount, runFlow } from '#contracts/flows.ts';
import { listProfiles } from '#contracts/profiles.ts';
import {
  countSegments,
  createSegment,
  listNearlyMembers,
  listSegmentMembers,
  previewSegment,
  previewSegmentCount,
} from '#contracts/segments.ts';
import { createDovepost } from '#sdk/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeScene } from '#tests/support/campaign-scene.ts';
import { holdLock } from '#tests/support/hold-lock.ts';

const people = 300;
const buyers = people / 4;
const expression: Expression = {
  event: 'Ordered',
  times: { op: '>=', n: 2 },
  where: [{ field: 'properties.total', op: 'gt', value: 50 }],
};

let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

async function makeShop() {
  const scene = await makeScene(app, people);
  const { api, id: accountId } = scene.customer;
  await app.ctx.pool.query(`insert into event_accounts (account_id) values ($1) on conflict do nothing`, [accountId]);
  await app.ctx.pool.query(
    `with named as (
       insert into event_names (account_id, name, first_at, last_at) values ($1, 'Ordered', now(), now()) returning id
     ), chosen as (select id, row_number() over (order by id) as place from profiles where account_id = $1)
     insert into events (account_id, profile_id, name_id, at, received_at, properties, bytes)
     select $1, chosen.id, named.id, now(), now(), '{"total": 60}', 200
       from chosen, named, generate_series(1, 2) where chosen.place <= $2`,
    [accountId, buyers],
  );
  await app.ctx.pool.query(
    `insert into event_days (account_id, name_id, profile_id, day, n)
     select account_id, name_id, profile_id, (at at time zone 'UTC')::date, count(*)
       from events where account_id = $1 group by 1, 2, 3, 4`,
    [accountId],
  );
  const { body: segment } = await api.call(createSegment, { body: { name: 'Buyers', expression } });
  const action = { type: 'send_message', projectId: scene.projectId, message: 'Hello {name}!' } as const;
  const { body: flow } = await api.call(createFlow, { body: { name: 'Thanks', expression, action, active: false } });
  return { ...scene, api, segment, flow, sdk: createDovepost({ baseUrl: app.url, apiKey: scene.customer.apiKey }) };
}

/** Locks a table for as long as an exact count waits for it; the queue of people who changed may wait, too. */
async function whileTooCostly<T>(
  ask: () => Promise<{ body: T }>,
  { table = 'events' }: { table?: string } = {},
): Promise<T> {
  const release = await holdLock(app.ctx.pool, `lock table ${table} in access exclusive mode`);
  const waiting = async () => {
    const { rows } = await app.ctx.pool.query<{ id: string }>(
      `select l.virtualtransaction as id from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and l.relation = $1::regclass and a.query like '%count(%'`,
      [table],
    );
    return rows.map(({ id }) => id);
  };
  const answer = ask();
  await expect.poll(waiting, { timeout: 30_000 }).not.toEqual([]);
  const [counting] = await waiting();
  await expect.poll(waiting, { timeout: 30_000 }).not.toContain(counting);
  await release();
  return (await answer).body;
}

const about = { count: buyers, is_estimate: true };

test('counts of people are about so many where counting takes too long', { timeout: 180_000 }, async () => {
  const { api, segment, sdk } = await makeShop();
  const ask = whileTooCostly;
  const often: Expression = { event: 'Ordered', times: { op: '>=', n: 2 } };
  const days = { table: 'event_days' };
  const preview = await ask(() => api.call(previewSegment, { body: { expression: often } }), days);
  expect(preview).toMatchObject({ ...about, total: people });
  const bySdk = await ask(async () => {
    return { body: await sdk.request('POST /api/segments/preview', { body: { expression: often } }) };
  }, days);
  expect(bySdk).toMatchObject(about);
  const counts = await ask(() => api.call(countSegments, { query: { ids: String(segment.id) } }));
  expect(counts).toMatchObject({ data: [about] });
  const params = { segmentId: segment.id };
  const members = await ask(() => api.call(listSegmentMembers, { params, query: { limit: 3 } }));
  expect(members).toMatchObject({ ...about, data: [{}, {}, {}] });
  const near: Expression = { all: [expression, { field: 'name', op: 'starts', value: 'nobody' }] };
  const nearly = await ask(() => api.call(listNearlyMembers, { body: { expression: near, limit: 2 } }));
  expect(nearly).toMatchObject({ ...about, data: [{}, {}] });
  const profiles = await ask(() => api.call(listProfiles, { query: { segment_id: segment.id, pageSize: 2 } }));
  expect(profiles).toMatchObject({
    total: buyers,
    is_estimate: true,
    data: [{}, {}],
    next_cursor: expect.any(String) as string,
  });
  const condition = { fieldPath: 'language', operator: 'not_exists', value: '' } as const;
  const flat = await ask(() => api.call(previewSegmentCount, { body: { condition } }), { table: 'profiles' });
  expect(flat).toMatchObject({ count: people, is_estimate: true });
});

test('reviews and runs are for about so many where counting takes too long', { timeout: 180_000 }, async () => {
  const { api, customer, segment, projectId, flow } = await makeShop();
  const ask = whileTooCostly;
  await app.ctx.pool.query(
    `update profiles set phone_is_valid = false
      where account_id = $1 and id in (select profile_id from events where account_id = $1 order by profile_id limit 20)`,
    [customer.id],
  );
  const message = 'Hello {name}, {nick}';
  const campaign = { segment_id: segment.id, message, project_id: projectId };
  expect(await ask(() => api.call(previewCampaign, { body: campaign }))).toMatchObject({
    total: buyers,
    will_receive: buyers - 10,
    is_estimate: true,
    skipped: { invalid_number: 10, opted_out: 0 },
    placeholders: [
      { path: 'name', empty: 0, is_unknown: false },
      { path: 'nick', empty: buyers - 10, is_unknown: true },
    ],
    samples: [{}, {}, {}],
    forecast: { count: buyers - 10 },
  });
  const ofFlow = await ask(() => api.call(previewFlow, { body: { expression, message } }));
  expect(ofFlow).toMatchObject({ total: buyers, will_receive: buyers - 10, is_estimate: true });
  const counted = await ask(() => api.call(previewFlowCount, { body: { expression } }));
  expect(counted).toMatchObject({ ...about, skipped: 10 });
  const run = await ask(() => api.call(runFlow, { params: { flowId: flow.id } }));
  expect(run).toMatchObject({ matched: buyers, queued: buyers - 10, skipped: 10, is_estimate: true });
});
