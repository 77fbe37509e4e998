import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cancelBulkAction,
  getBulkAction,
  listBulkActions,
  startBulkAction,
  undoBulkAction,
} from '#contracts/bulk-actions.ts';
import type { BulkAction, NewBulkAction } from '#contracts/bulk-actions.ts';
import { getCampaign, listCampaigns, pauseCampaign } from '#contracts/campaigns.ts';
import { createFlow, getFlow, listFlows } from '#contracts/flows.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { updateProjectWebhook } from '#contracts/projects.ts';
import { createProfile, listProfiles, listProfileTags } from '#contracts/profiles.ts';
import { searchMessages } from '#contracts/message-search.ts';
import { createSegment, listSegments } from '#contracts/segments.ts';
import { createTemplate, listTemplates } from '#contracts/saved-templates.ts';
import { listSuppressions } from '#contracts/suppressions.ts';
import { listWebhooks } from '#contracts/webhooks.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { insertProfiles } from '#tests/support/audience.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { create, makeScene } from '#tests/support/campaign-scene.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

async function ended({ api }: Customer, { id }: BulkAction): Promise<BulkAction> {
  await expect
    .poll(async () => (await api.call(getBulkAction, { params: { actionId: id } })).body.status)
    .not.toMatch(/working|undoing/);
  return (await api.call(getBulkAction, { params: { actionId: id } })).body;
}

type Body = Omit<NewBulkAction, 'tags'> & { tags?: string[] };

async function run(customer: Customer, body: Body): Promise<BulkAction> {
  const { status, body: started } = await customer.api.call(startBulkAction, { body });
  expect(status).toBe(202);
  return ended(customer, started);
}

async function undo(customer: Customer, action: BulkAction): Promise<BulkAction> {
  const { body } = await customer.api.call(undoBulkAction, { params: { actionId: action.id } });
  return ended(customer, body);
}

const countWith = async ({ api }: Customer, query: object) => (await api.call(listProfiles, { query })).body.total;

describe('of profiles', () => {
  test('everything that a filter finds is tagged, whatever the tag does to the filter, and untagged again', async () => {
    const customer = await signUpSubscriber(app.url);
    await insertProfiles(app.ctx.pool, customer.id, 603);
    await insertProfiles(app.ctx.pool, (await signUpSubscriber(app.url)).id, 3);
    const tagged = await run(customer, { resource: 'profiles', action: 'tag', filter: {}, tags: ['VIP', 'new'] });
    expect(tagged).toMatchObject({ status: 'completed', total_count: 603, done_count: 603, changed_count: 603 });
    expect(await countWith(customer, { tags: 'vip,new' })).toBe(603);
    const [first, second] = (await customer.api.call(listProfiles)).body.data;
    const ids = [second?.id ?? 0, first?.id ?? 0, 99_999_999, first?.id ?? 0];
    await run(customer, { resource: 'profiles', action: 'untag', ids, tags: ['vip'] });
    const untagged = await run(customer, {
      resource: 'profiles',
      action: 'untag',
      filter: { tags: ['vip'] },
      tags: ['vip'],
    });
    expect(untagged).toMatchObject({ changed_count: 601, can_undo: true });
    expect((await customer.api.call(listProfileTags)).body.data).toEqual([{ tag: 'new', profiles: 603 }]);
    expect(await undo(customer, untagged)).toMatchObject({ status: 'undone', undone_count: 601, can_undo: false });
    expect(await countWith(customer, { tags: 'vip' })).toBe(601);
  });

  test('an undo takes back what the action changed, and nothing else', async () => {
    const customer = await signUpSubscriber(app.url);
    for (const [index, tags] of [['old'], []].entries()) {
      await customer.api.call(createProfile, { body: { phone: `1415555010${index}`, tags } });
    }
    const tagged = await run(customer, { resource: 'profiles', action: 'tag', filter: {}, tags: ['old', 'sale'] });
    await undo(customer, tagged);
    const { body } = await customer.api.call(listProfiles, { query: { sort: 'phone' } });
    expect(body.data.map(({ tags }) => tags)).toEqual([['old'], []]);
    const { body: refusal } = await customer.api.refuse(undoBulkAction, { params: { actionId: tagged.id } });
    expect(refusal.code).toBe('cannot_undo');
  });

  test('a profile with fifty tags fails by itself and is named', async () => {
    const customer = await signUpSubscriber(app.url);
    const tags = Array.from({ length: 50 }, (_, n) => `t${n}`);
    const { body: full } = await customer.api.call(createProfile, { body: { phone: '14155550101', tags } });
    await customer.api.call(createProfile, { body: { phone: '14155550102' } });
    const action = await run(customer, { resource: 'profiles', action: 'tag', filter: {}, tags: ['more'] });
    expect(action).toMatchObject({ status: 'completed', changed_count: 1, failed_count: 1 });
    expect(action.failures).toEqual([{ id: full.id, message: 'It has 50 tags already' }]);
  });

  test('are opted out together; an undo lifts those alone that were not out before', async () => {
    const customer = await signUpSubscriber(app.url);
    await customer.api.call(createProfile, { body: { phone: '14155550101', opted_out: true } });
    await customer.api.call(createProfile, { body: { phone: '14155550102' } });
    const out = await run(customer, { resource: 'profiles', action: 'opt_out', filter: {} });
    expect(out).toMatchObject({ changed_count: 1, done_count: 2 });
    expect(await countWith(customer, { opted_out: 'true' })).toBe(2);
    await undo(customer, out);
    const { body } = await customer.api.call(listSuppressions);
    expect(body.data.map(({ phone }) => phone)).toEqual(['14155550101']);
  });

  test('an undo leaves those out who have asked for it since, and counts what it took back', async () => {
    const customer = await signUpSubscriber(app.url);
    const { id: projectId } = await makeProject(customer);
    const phone = await connectSandboxPhone(customer, projectId);
    for (const number of ['14155550101', '14155550102']) {
      await customer.api.call(createProfile, { body: { phone: number } });
    }
    const out = await run(customer, { resource: 'profiles', action: 'opt_out', filter: {} });
    await customer.api.call(receiveSandboxMessage, {
      params: { phoneId: phone.id },
      body: { from: '14155550101', message: 'STOP' },
    });
    const listed = async () => (await customer.api.call(listSuppressions)).body.data;
    await expect.poll(async () => (await listed()).map(({ by }) => by).toSorted()).toEqual(['reply', 'user']);
    expect(await undo(customer, out)).toMatchObject({ status: 'undone', changed_count: 2, undone_count: 1 });
    expect(await listed()).toMatchObject([{ phone: '14155550101', by: 'reply', evidence: { text: 'STOP' } }]);
  });

  test('an undo puts languages, time zones and external ids back, but for one that is another’s by then', async () => {
    const customer = await signUpSubscriber(app.url);
    const facts = { language: 'pt-BR', timezone: 'America/Recife' };
    for (const [index, external_id] of ['a', 'b'].entries()) {
      const body = { phone: `1415555010${index}`, external_id, ...facts };
      await customer.api.call(createProfile, { body });
    }
    const deleted = await run(customer, { resource: 'profiles', action: 'delete', filter: {} });
    await customer.api.call(createProfile, { body: { phone: '14155550109', external_id: 'b' } });
    expect(await undo(customer, deleted)).toMatchObject({ undone_count: 2 });
    const { body } = await customer.api.call(listProfiles, { query: { sort: 'phone' } });
    expect(body.data).toMatchObject([
      { external_id: 'a', ...facts },
      { external_id: null, ...facts },
      { external_id: 'b', language: null },
    ]);
  });

  test('an undo counts nobody whose number has become another profile', async () => {
    const customer = await signUpSubscriber(app.url);
    for (const number of ['14155550101', '14155550102']) {
      await customer.api.call(createProfile, { body: { phone: number } });
    }
    const deleted = await run(customer, { resource: 'profiles', action: 'delete', filter: {} });
    await customer.api.call(createProfile, { body: { phone: '14155550101' } });
    expect(await undo(customer, deleted)).toMatchObject({ changed_count: 2, undone_count: 1 });
  });

  test('are deleted, and put back as they were by an undo', async () => {
    const customer = await signUpSubscriber(app.url);
    await insertProfiles(app.ctx.pool, customer.id, 30);
    const listAll = async () =>
      (await customer.api.call(listProfiles, { query: { sort: 'id', pageSize: 100 } })).body.data;
    const before = await listAll();
    const deleted = await run(customer, { resource: 'profiles', action: 'delete', filter: { search: 'Person 1' } });
    expect(deleted).toMatchObject({ changed_count: 11, can_undo: true });
    expect(await countWith(customer, {})).toBe(19);
    await undo(customer, deleted);
    const after = await listAll();
    expect(after).toEqual(before);
  });

  test("another account's are not touched by their ids", async () => {
    const customer = await signUpSubscriber(app.url);
    const other = await signUpSubscriber(app.url);
    const { body } = await other.api.call(createProfile, { body: { phone: '14155550101' } });
    const action = await run(customer, { resource: 'profiles', action: 'delete', ids: [body.id] });
    expect(action).toMatchObject({ status: 'completed', changed_count: 0 });
    expect(await countWith(other, {})).toBe(1);
    const { status } = await other.api.refuse(getBulkAction, { params: { actionId: action.id } });
    expect(status).toBe(404);
  });
});

describe('of other things', () => {
  test('an item that refuses fails with its reason, the others go on', async () => {
    const scene = await makeScene(app, 1, { hasPhone: false });
    const when = new Date(Date.now() + 3_600_000).toISOString();
    const later = await create(scene, { when });
    const again = await create(scene, { when, name: 'Second' });
    const resumed = await run(scene.customer, { resource: 'campaigns', action: 'resume', ids: [later.id] });
    expect(resumed).toMatchObject({ failed_count: 1, failures: [{ id: later.id }] });
    const cancelled = await run(scene.customer, { resource: 'campaigns', action: 'cancel', ids: [later.id, again.id] });
    expect(cancelled).toMatchObject({ changed_count: 2, failed_count: 0, can_undo: false });
    await run(scene.customer, { resource: 'campaigns', action: 'delete', filter: { search: 'second' } });
    const { body } = await scene.customer.api.call(listCampaigns);
    expect(body.data.map(({ id, status }) => [id, status])).toEqual([[later.id, 'cancelled']]);
  });

  test('flows that are activated together write to nobody who matches already', async () => {
    const customer = await signUpSubscriber(app.url);
    const { id: project_id } = await makeProject(customer);
    await connectSandboxPhone(customer, project_id);
    const action = { type: 'send_message', project_id, message: 'Hi' } as const;
    const conditions = [{ fieldPath: 'status', operator: 'equals', value: 'active' } as const];
    await insertProfiles(app.ctx.pool, customer.id, 3);
    await customer.api.call(createFlow, { body: { name: 'Welcome', conditions, action, active: false } });
    await run(customer, { resource: 'flows', action: 'activate', filter: {} });
    const { body: late } = await customer.api.call(createProfile, { body: { phone: '14155550777', name: 'Late' } });
    const sent = async () => (await customer.api.call(searchMessages, { query: {} })).body.data.map(({ to }) => to);
    await expect.poll(sent).toEqual([late.phone]);
  });

  test('templates that a search finds are deleted', async () => {
    const customer = await signUpSubscriber(app.url);
    const stranger = await signUpSubscriber(app.url);
    for (const { api } of [customer, stranger]) {
      for (const name of ['Spring sale', 'Spring is here', 'Order ready']) {
        await api.call(createTemplate, { body: { name, message: 'Hi' } });
      }
    }
    const deleted = await run(customer, { resource: 'templates', action: 'delete', filter: { search: 'spring' } });
    expect(deleted).toMatchObject({ status: 'completed', total_count: 2, changed_count: 2, can_undo: false });
    const left = async ({ api }: Customer) =>
      (await api.call(listTemplates, { query: {} })).body.data.map(({ name }) => name);
    expect(await left(customer)).toEqual(['Order ready']);
    expect(await left(stranger)).toHaveLength(3);
  });

  test('flows and phones are switched off and on again, segments deleted', async () => {
    const customer = await signUpSubscriber(app.url);
    const { id: project_id } = await makeProject(customer);
    await connectSandboxPhone(customer, project_id);
    const action = { type: 'send_message', project_id, message: 'Hi' } as const;
    const conditions = [{ fieldPath: 'name', operator: 'equals', value: 'Nobody' } as const];
    for (const active of [true, false]) {
      await customer.api.call(createFlow, { body: { name: `Flow ${active}`, conditions, action, active } });
    }
    const off = await run(customer, { resource: 'flows', action: 'deactivate', filter: {} });
    expect(off).toMatchObject({ done_count: 2, changed_count: 1, can_undo: true });
    await undo(customer, off);
    const { body: flows } = await customer.api.call(listFlows, { query: { active: 'true' } });
    expect(flows.data.map(({ name }) => name)).toEqual(['Flow true']);
    await run(customer, { resource: 'phones', action: 'deactivate', filter: { project_id } });
    const params = { projectId: project_id };
    expect((await customer.api.call(listPhoneNumbers, { params })).body.data[0]?.is_active).toBe(false);
    const condition = { fieldPath: 'name', operator: 'equals', value: 'x' } as const;
    for (const name of ['One', 'Two']) await customer.api.call(createSegment, { body: { name, condition } });
    await run(customer, { resource: 'segments', action: 'delete', filter: { search: 'on' } });
    expect((await customer.api.call(listSegments)).body.data.map(({ name }) => name)).toEqual(['Two']);
  });
});

test.each<[string, object]>([
  ['neither ids nor a filter', { resource: 'profiles', action: 'delete' }],
  ['both', { resource: 'profiles', action: 'delete', ids: [1], filter: {} }],
  ['what the kind does not know', { resource: 'segments', action: 'pause', ids: [1] }],
  ['phones to delete, which each is signed out for', { resource: 'phones', action: 'delete', ids: [1] }],
  ['no tag to add', { resource: 'profiles', action: 'tag', ids: [1] }],
  ['an unknown status', { resource: 'campaigns', action: 'delete', filter: { status: 'gone' } }],
  ['a filter of other lists for profiles', { resource: 'profiles', action: 'delete', filter: { project_id: 1 } }],
  ['a filter of other lists for segments', { resource: 'segments', action: 'delete', filter: { status: 'completed' } }],
  ['a filter of other lists for templates', { resource: 'templates', action: 'delete', filter: { tags: ['old'] } }],
  ['an unknown segment', { resource: 'profiles', action: 'opt_out', filter: { segment_id: 999_999 } }],
  [
    'an unknown segment to leave out',
    { resource: 'profiles', action: 'opt_out', filter: { exclude_segment_ids: [1] } },
  ],
])('%s is a 422', async (_, body) => {
  const customer = await signUpSubscriber(app.url);
  const { status } = await customer.api.refuse(startBulkAction, { body: body as NewBulkAction });
  expect(status).toBe(422);
  expect((await customer.api.call(listBulkActions)).body.data).toEqual([]);
});

test('an action that is over cannot be stopped', async () => {
  const customer = await signUpSubscriber(app.url);
  const action = await run(customer, { resource: 'profiles', action: 'delete', filter: {} });
  const { body } = await customer.api.refuse(cancelBulkAction, { params: { actionId: action.id } });
  expect(body.code).toBe('bulk_action_finished');
});

describe('with a delay', () => {
  const cancel = async ({ api }: Customer, { id }: BulkAction) =>
    (await api.call(cancelBulkAction, { params: { actionId: id } })).body;

  test('a template is in no list at once, is back where it is cancelled in time, and gone where it is not', async () => {
    const customer = await signUpSubscriber(app.url);
    const { api } = customer;
    const { body: template } = await api.call(createTemplate, { body: { name: 'Order', message: 'Ready' } });
    const start = async (starts_in: number) =>
      (
        await api.call(startBulkAction, {
          body: { resource: 'templates', action: 'delete', ids: [template.id], starts_in },
        })
      ).body;
    const names = async () => (await api.call(listTemplates)).body.data.map(({ name }) => name);
    const waiting = await start(60);
    expect(waiting).toMatchObject({ status: 'working', done_count: 0, starts_at: expect.any(String) });
    expect(await names()).toEqual([]);
    expect(await cancel(customer, waiting)).toMatchObject({ status: 'cancelled', done_count: 0, changed_count: 0 });
    expect(await names()).toEqual(['Order']);
    const done = await ended(customer, await start(1));
    expect(done).toMatchObject({ status: 'completed', changed_count: 1 });
    expect((await api.refuse(cancelBulkAction, { params: { actionId: done.id } })).body.code).toBe(
      'bulk_action_finished',
    );
    expect(await names()).toEqual([]);
  });

  test('a flow that is to be deleted writes to nobody meanwhile, and goes on where it is undone', async () => {
    const customer = await signUpSubscriber(app.url);
    const { api } = customer;
    const project = await makeProject(customer, null);
    await connectSandboxPhone(customer, project.id);
    const { body: flow } = await api.call(createFlow, {
      body: {
        name: 'Trial',
        conditions: [{ fieldPath: 'email', operator: 'exists', value: '' }],
        duration: { type: 'last_hours', hours: 24 },
        action: { type: 'send_message', projectId: project.id, message: 'Hi' },
        frequency: { type: 'lifetime' },
        active: true,
      },
    });
    const isActive = async () => (await api.call(getFlow, { params: { flowId: flow.id } })).body.active;
    const { body: waiting } = await api.call(startBulkAction, {
      body: { resource: 'flows', action: 'delete', ids: [flow.id], starts_in: 60 },
    });
    expect(await isActive()).toBe(false);
    await cancel(customer, waiting);
    expect(await isActive()).toBe(true);
  });

  test('a campaign that is to be deleted stands still meanwhile, and no webhook takes that for a pause', async () => {
    const scene = await makeScene(app, 2);
    const { api } = scene.customer;
    const params = { projectId: scene.projectId };
    await api.call(updateProjectWebhook, { params, body: { webhook_url: 'http://127.0.0.1:9/hook' } });
    const { id } = await create(scene, { when: new Date(Date.now() + 3_600_000).toISOString() });
    const status = async () => (await api.call(getCampaign, { params: { campaignId: id } })).body.status;
    const told = async () => (await api.call(listWebhooks, { params, query: {} })).body.data.map(({ type }) => type);
    const body = { resource: 'campaigns' as const, action: 'delete' as const, ids: [id], starts_in: 60 };
    const { body: waiting } = await api.call(startBulkAction, { body });
    await cancel(scene.customer, waiting);
    expect(await status()).toBe('scheduled');
    expect(await told()).toEqual([]);
    await api.call(pauseCampaign, { params: { campaignId: id } });
    expect(await told()).toEqual(['campaign.paused']);
  });

  test('a campaign that two actions wait for goes on once both are called off, in either order', async () => {
    const scene = await makeScene(app, 2);
    const { api } = scene.customer;
    const { id } = await create(scene, { when: new Date(Date.now() + 3_600_000).toISOString() });
    const status = async () => (await api.call(getCampaign, { params: { campaignId: id } })).body.status;
    const startBoth = async () => {
      const bodies = (['cancel', 'delete'] as const).map((action) => ({
        resource: 'campaigns' as const,
        action,
        ids: [id],
        starts_in: 60,
      }));
      const started = [];
      for (const body of bodies) started.push((await api.call(startBulkAction, { body })).body);
      return started;
    };
    for (const turned of [false, true]) {
      const waiting = await startBoth();
      const [first, second] = turned ? waiting.toReversed() : waiting;
      if (first) await cancel(scene.customer, first);
      expect(await status()).toBe('paused');
      if (second) await cancel(scene.customer, second);
      expect(await status()).toBe('scheduled');
    }
    const waiting = await startBoth();
    await Promise.all(waiting.map((action) => cancel(scene.customer, action)));
    expect(await status()).toBe('scheduled');
  });

  test('a deletion that would be refused is refused at once', async () => {
    const customer = await signUpSubscriber(app.url);
    const { api } = customer;
    const { body: used } = await api.call(createSegment, {
      body: { name: 'Used', condition: { fieldPath: 'name', operator: 'exists', value: '' } },
    });
    await api.call(createSegment, { body: { name: 'User', expression: { all: [{ segment: used.id }] } } });
    const start = (ids: number[]) =>
      api.refuse(startBulkAction, { body: { resource: 'segments', action: 'delete', ids, starts_in: 10 } });
    expect((await start([used.id])).body.code).toBe('segment_in_use');
    expect((await start([99_999_999])).status).toBe(404);
    expect((await start(Array.from({ length: 101 }, (_, index) => index + 1))).status).toBe(422);
  });
});
