import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelCampaign, getCampaignReport, previewCampaign, updateCampaign } from '#contracts/campaigns.ts';
import { createBulkRun, getBulkRun, listBulkRows, startBulkRun } from '#contracts/bulk-runs.ts';
import type { Expression } from '#contracts/expressions.ts';
import { createFlow, getFlow, runFlow } from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment, explainSegment, previewSegment } from '#contracts/segments.ts';
import { addSuppression, getSuppression } from '#contracts/suppressions.ts';
import {
  createTopic,
  deleteTopic,
  getNumberTopics,
  getProfileTopics,
  listConsents,
  listTopics,
  putNumberTopics,
  putProfileTopics,
  updateTopic,
} from '#contracts/topics.ts';
import type { ConsentState } from '#contracts/topics.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, makeScene, recipients, until } from '#tests/support/campaign-scene.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

const topicOf = async ({ api }: Customer, body: { name: string; needs_opt_in?: boolean } = { name: 'Offers' }) =>
  (await api.call(createTopic, { body })).body.id;

const say = ({ api }: Customer, phone: string, topicId: number, state: ConsentState, note = 'By mail') =>
  api.call(putNumberTopics, { params: { phone }, body: { topics: [{ topic_id: topicId, state }], note } });

const people = (...phones: string[]) => phones.map((phone) => ({ phone, name: `P${phone.slice(-4)}` }));

describe('topics', () => {
  test('are made, named once, changed and removed', async () => {
    const customer = await signUpSubscriber(app.url);
    const { api } = customer;
    const made = await api.call(createTopic, { body: { name: ' Offers ', description: 'About once a week' } });
    expect(made).toMatchObject({ status: 201, body: { name: 'Offers', needs_opt_in: false, opted_out_count: 0 } });
    const twice = await api.refuse(createTopic, { body: { name: 'OFFERS' } });
    expect([twice.status, twice.body.errors?.[0]?.path]).toEqual([422, 'name']);
    const params = { topicId: made.body.id };
    const changed = await api.call(updateTopic, { params, body: { needs_opt_in: true, description: '' } });
    expect(changed.body).toMatchObject({ name: 'Offers', needs_opt_in: true, description: null });
    const other = await signUpSubscriber(app.url);
    expect((await other.api.refuse(updateTopic, { params, body: { name: 'Mine' } })).status).toBe(404);
    await api.call(deleteTopic, { params });
    expect((await api.call(listTopics)).body.data).toEqual([]);
    expect((await api.refuse(deleteTopic, { params })).status).toBe(404);
    await api.call(createTopic, { body: { name: 'Offers' } });
  });
});

describe('the word of a number', () => {
  const phone = '5511987654321';

  test('is kept with its evidence and a log, for all ways to write the number', async () => {
    const customer = await signUpSubscriber(app.url);
    const topic = await topicOf(customer);
    const body = { topics: [{ topic_id: topic, state: 'opted_out' as const }], note: 'By phone', text: 'No offers' };
    const said = await customer.api.call(putNumberTopics, { params: { phone: '551187654321' }, body });
    const { body: read } = await customer.api.call(getNumberTopics, { params: { phone } });
    expect(read.topics).toMatchObject([{ topic_id: topic, name: 'Offers', receives: false }]);
    expect(read.topics[0]?.consent).toMatchObject({
      state: 'opted_out',
      by: 'user',
      note: 'By phone',
      evidence: { text: 'No offers', address: null },
    });
    expect(said.body.topics[0]?.consent?.evidence.actor).not.toBeNull();
    const lifted = await customer.api.refuse(putNumberTopics, {
      params: { phone },
      body: { topics: [{ topic_id: topic, state: 'opted_in' }] },
    });
    expect([lifted.status, lifted.body.errors?.[0]?.path]).toEqual([422, 'note']);
    const program = { ...customer, api: customer.api.as({ authorization: customer.apiKey }) };
    await say(program, phone, topic, 'opted_in', 'Signed up at the fair');
    const { body: after } = await customer.api.call(getNumberTopics, { params: { phone } });
    expect(after.log.map(({ state, by, note }) => [state, by, note])).toEqual([
      ['opted_in', 'api', 'Signed up at the fair'],
      ['opted_out', 'user', 'By phone'],
    ]);
    const { body: listed } = await customer.api.call(listConsents, { params: { topicId: topic }, query: {} });
    expect(listed.data.map((each) => [each.phone, each.state])).toEqual([[phone, 'opted_in']]);
    await expect(
      app.ctx.pool.query(`update topic_consent_log set note = 'x' where account_id = $1`, [customer.id]),
    ).rejects.toThrow('only appended to');
  });

  test('an older word than the last one changes nothing, and a topic that there is not is named', async () => {
    const customer = await signUpSubscriber(app.url);
    const topic = await topicOf(customer);
    await say(customer, phone, topic, 'opted_out');
    const body = {
      topics: [{ topic_id: topic, state: 'opted_in' as const }],
      note: 'Came late',
      at: '2026-01-01T00:00:00Z',
    };
    const late = await customer.api.call(putNumberTopics, { params: { phone }, body });
    expect(late.body.topics[0]?.receives).toBe(false);
    const wrong = await customer.api.refuse(putNumberTopics, {
      params: { phone },
      body: { topics: [{ topic_id: topic + 1_000_000, state: 'opted_in' }] },
    });
    expect([wrong.status, wrong.body.errors?.[0]?.path]).toEqual([422, 'topics.0.topic_id']);
  });

  test('is refused where it says two things of a topic', async () => {
    const customer = await signUpSubscriber(app.url);
    const topic = await topicOf(customer);
    const topics = (['opted_in', 'opted_out'] as const).map((state) => ({ topic_id: topic, state }));
    const { status, body } = await customer.api.refuse(putNumberTopics, { params: { phone }, body: { topics } });
    expect([status, body.errors]).toEqual([422, [{ path: 'topics', message: 'Name each topic once' }]]);
  });

  test('is read and noted by the profile, too', async () => {
    const customer = await signUpSubscriber(app.url);
    const topic = await topicOf(customer, { name: 'Fair', needs_opt_in: true });
    const { body: profile } = await customer.api.call(createProfile, { body: { phone } });
    const params = { profileId: profile.id };
    expect((await customer.api.call(getProfileTopics, { params })).body.topics[0]?.receives).toBe(false);
    const body = { topics: [{ topic_id: topic, state: 'opted_in' as const }] };
    expect((await customer.api.call(putProfileTopics, { params, body })).body.topics[0]?.receives).toBe(true);
    await customer.api.call(addSuppression, { body: { phone } });
    const out = (await customer.api.call(getProfileTopics, { params })).body;
    expect([out.opted_out, out.topics[0]?.receives]).toEqual([true, false]);
  });
});

describe('a campaign of a topic', () => {
  const [ada, bob, cem] = ['14155553101', '14155553102', '14155553103'] as const;

  test('skips who is out of it, with a code of its own in review, list and report', async () => {
    const scene = await makeScene(app, people(ada, bob, cem));
    const topic = await topicOf(scene.customer);
    await say(scene.customer, bob, topic, 'opted_out');
    const { body: review } = await scene.customer.api.call(previewCampaign, {
      body: { segment_id: scene.segmentId, message: 'Hi', topic_id: topic, project_id: scene.projectId },
    });
    expect([review.will_receive, review.skipped.topic_opted_out]).toEqual([2, 1]);
    const campaign = await create(scene, { topic_id: topic });
    expect(campaign.topic_id).toBe(topic);
    await until(scene, campaign, { status: 'completed', sent_count: 2, skipped_count: 1 });
    const { data } = await recipients(scene, campaign, { status: 'skipped' });
    expect(data).toMatchObject([{ phone: bob, error_code: 'topic_opted_out' }]);
    const { body: report } = await scene.customer.api.call(getCampaignReport, { params: { campaignId: campaign.id } });
    expect(report.skips).toMatchObject([{ code: 'topic_opted_out', count: 1 }]);
    const without = await create(scene, {});
    await until(scene, without, { status: 'completed', sent_count: 3 });
  });

  test('reaches only who opted in where the topic needs it, also after the topic was removed', async () => {
    const scene = await makeScene(app, people(ada, bob));
    const topic = await topicOf(scene.customer, { name: 'Fair', needs_opt_in: true });
    await say(scene.customer, ada, topic, 'opted_in');
    const later = await create(scene, { topic_id: topic, when: '2099-01-01T00:00:00Z' });
    await scene.customer.api.call(deleteTopic, { params: { topicId: topic } });
    await scene.customer.api.call(updateCampaign, { params: { campaignId: later.id }, body: { when: null } });
    await until(scene, later, { status: 'completed', sent_count: 1, skipped_count: 1 });
    const refused = await scene.customer.api.refuse(previewCampaign, {
      body: { segment_id: scene.segmentId, topic_id: topic },
    });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'topic_id']);
  });

  test('a message that waits for somebody who opts out of the topic is taken back', async () => {
    const scene = await makeScene(app, people(ada, bob));
    const topic = await topicOf(scene.customer);
    const campaign = await create(scene, { topic_id: topic, duration: 600 });
    await until(scene, campaign, { status: 'running' });
    // As a phone that is away holds it.
    const { rows } = await app.ctx.pool.query<{ id: number }>(
      `insert into messages (account_id, project_id, direction, recipient, sender, body, status, created_at, profile_id,
                             campaign_id, phone_id, is_queued, type, retry_at)
       select $1, $2, 'outgoing', $3, '1', 'Hi', 'pending', now(), null, $4, p.id, true, 'text', now() + interval '1 day'
         from phones p where p.account_id = $1 limit 1 returning id`,
      [scene.customer.id, scene.projectId, bob, campaign.id],
    );
    await say(scene.customer, bob, topic, 'opted_out');
    const { rows: left } = await app.ctx.pool.query<{ status: string; error_code: string }>(
      'select status, error_code from messages where id = $1',
      [rows[0]?.id],
    );
    expect(left).toEqual([{ status: 'failed', error_code: 'topic_opted_out' }]);
    await scene.customer.api.call(cancelCampaign, { params: { campaignId: campaign.id } });
  });
});

test('a flow of a topic takes on nobody who is out of it, and whoever opts in', async () => {
  const scene = await makeScene(app, people('14155553201', '14155553202'));
  const { api } = scene.customer;
  const topic = await topicOf(scene.customer, { name: 'Fair', needs_opt_in: true });
  const { body: flow } = await api.call(createFlow, {
    body: {
      name: 'Fair',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      action: { projectId: scene.projectId, message: 'Hi' },
      topic_id: topic,
      active: true,
    },
  });
  expect(flow.topic_id).toBe(topic);
  const params = { flowId: flow.id };
  expect((await api.call(runFlow, { params })).body).toMatchObject({ queued: 0 });
  await say(scene.customer, '14155553202', topic, 'opted_in');
  await expect.poll(async () => (await api.call(getFlow, { params })).body.counts.sent).toBe(1);
});

test('a bulk run of a topic skips the rows of who is out of it', async () => {
  const scene = await makeScene(app, people('14155553301'));
  const { api } = scene.customer;
  const topic = await topicOf(scene.customer);
  await say(scene.customer, '14155553302', topic, 'opted_out');
  const rows = [{ to: '14155553301' }, { to: '14155553302' }];
  const { body: run } = await api.call(createBulkRun, {
    body: { project_id: scene.projectId, message: 'Hi', delay_ms: 0, rows, topic_id: topic },
  });
  const params = { runId: run.id };
  await api.call(startBulkRun, { params });
  await expect
    .poll(async () => (await api.call(getBulkRun, { params })).body)
    .toMatchObject({ status: 'completed', topic_id: topic, sent_count: 1, skipped_count: 1 });
  const { body } = await api.call(listBulkRows, { params, query: { status: 'skipped' } });
  expect(body.data).toMatchObject([{ phone: '14155553302', error_code: 'topic_opted_out' }]);
});

test('expressions ask what people said of a topic', async () => {
  const customer = await signUpSubscriber(app.url);
  const topic = await topicOf(customer, { name: 'Fair', needs_opt_in: false });
  const phones = ['14155553401', '14155553402', '14155553403'];
  const ids: number[] = [];
  for (const phone of phones) {
    const { body } = await customer.api.call(createProfile, { body: { phone, name: phone.slice(-1) } });
    ids.push(body.id);
  }
  await say(customer, phones[0] ?? '', topic, 'opted_in');
  await say(customer, phones[1] ?? '', topic, 'opted_out');
  const named = async (expression: Expression) => {
    const { body } = await customer.api.call(previewSegment, { body: { expression } });
    const found = body.sample.map(({ name }) => name ?? '').toSorted();
    const explained = await Promise.all(
      ids.map((id) => customer.api.call(explainSegment, { body: { expression, profile_id: id } })),
    );
    expect(explained.flatMap(({ body: { matches } }, index) => (matches ? [String(index + 1)] : []))).toEqual(found);
    return found;
  };
  expect(await named({ topic })).toEqual(['1', '3']);
  expect(await named({ topic, state: 'opted_in' })).toEqual(['1']);
  expect(await named({ topic, state: 'opted_out' })).toEqual(['2']);
  expect(await named({ not: { topic, state: 'opted_in' } })).toEqual(['2', '3']);
  await customer.api.call(updateTopic, { params: { topicId: topic }, body: { needs_opt_in: true } });
  expect(await named({ topic })).toEqual(['1']);
  const body = { name: 'Other', expression: { topic: topic + 1_000_000 } };
  const refused = await customer.api.refuse(createSegment, { body });
  expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'expression.topic']);
});

describe('the preferences page', () => {
  const phone = '34612345678';

  async function opened({ language }: { language?: string } = {}) {
    const customer = await signUpSubscriber(app.url);
    const topic = await topicOf(customer, { name: '<Offers>' });
    await customer.api.call(createProfile, { body: { phone, ...(language && { language }) } });
    const { body } = await customer.api.call(getNumberTopics, { params: { phone } });
    const url = (body.preferences_url ?? '').replace(app.ctx.config.publicUrl, app.url);
    const read = async () => (await customer.api.call(getNumberTopics, { params: { phone } })).body;
    return { customer, topic, url, read };
  }

  const send = (url: string, form: [string, string][]) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

  test('speaks the language of the contact, and is stored and sniffed by nobody', async () => {
    const { url } = await opened();
    expect(url).toMatch(/\/p\/[\w-]{22}$/);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const html = await response.text();
    expect(html).toContain('Tus preferencias de mensajes');
    expect(html).toContain('&lt;Offers&gt;');
    const german = await opened({ language: 'de' });
    expect(await (await fetch(german.url, { headers: { 'accept-language': 'fr' } })).text()).toContain('lang="de"');
  });

  test('takes a choice without scripts, with the evidence of the request', async () => {
    const { topic, url, read } = await opened();
    const saved = await send(url, [['shown', String(topic)]]);
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${new URL(url).pathname}?saved=1`]);
    expect((await read()).topics[0]).toMatchObject({
      receives: false,
      consent: { by: 'page', state: 'opted_out', evidence: { actor: null, address: '127.0.0.1' } },
    });
    await send(url, [
      ['shown', String(topic)],
      ['topic', String(topic)],
    ]);
    expect((await read()).topics[0]?.receives).toBe(true);
    // A topic that the page had not shown is not said anything of.
    await send(url, []);
    expect((await read()).topics[0]?.receives).toBe(true);
  });

  test('stops everything, which only START or the account lifts', async () => {
    const { customer, url, topic } = await opened();
    await send(url, [['all', 'stop']]);
    const { body } = await customer.api.call(getSuppression, { params: { phone } });
    expect(body).toMatchObject({ opted_out: true, suppression: { note: 'On the preferences page' } });
    const html = await (await fetch(url)).text();
    expect(html).toContain('START');
    expect(html).not.toContain('<form');
    await send(url, [['topic', String(topic)]]);
    expect((await customer.api.call(getSuppression, { params: { phone } })).body.opted_out).toBe(true);
  });

  test('is there for nobody who guesses, and not named to who may not change it', async () => {
    const { url, customer } = await opened();
    const guess = `${url.slice(0, -2)}${url.endsWith('AA') ? 'BQ' : 'AA'}`;
    for (const each of [guess, `${app.url}/p/x`, `${app.url}/p/${'A'.repeat(22)}`]) {
      const response = await fetch(each, { headers: { 'accept-language': 'de' } });
      expect([response.status, await response.text()]).toEqual([
        404,
        expect.stringContaining('Dieser Link funktioniert nicht'),
      ]);
      expect((await send(each, [['all', 'stop']])).status).toBe(404);
    }
    expect((await customer.api.call(getSuppression, { params: { phone } })).body.opted_out).toBe(false);
  });

  test('is linked by a placeholder, to each with a page of their own', async () => {
    const scene = await makeScene(app, people('14155553501', '14155553502'));
    const campaign = await create(scene, { message: 'Hi {name}, choose: {preferences_link}' });
    await until(scene, campaign, { status: 'completed', sent_count: 2 });
    const { rows } = await app.ctx.pool.query<{ body: string; recipient: string }>(
      'select body, recipient from messages where campaign_id = $1',
      [campaign.id],
    );
    const links = rows.map(({ body }) => /choose: (\S+)$/.exec(body)?.[1] ?? '');
    expect(new Set(links).size).toBe(2);
    for (const [index, link] of links.entries()) {
      const html = await (await fetch(link.replace(app.ctx.config.publicUrl, app.url))).text();
      expect(html).toContain(rows[index]?.recipient.replace(/^1(...)(...)/, '+1 $1 $2 '));
    }
  });
});
