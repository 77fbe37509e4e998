import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import {
  deleteAccount,
  eraseProfile,
  exportProfile,
  getAccountExport,
  keepAccount,
  listAccountExports,
  startAccountExport,
  stopAccountExport,
} from '#contracts/account-data.ts';
import type { AccountExport } from '#contracts/account-data.ts';
import { createAccountKey } from '#contracts/account-keys.ts';
import { getCurrentUser, login, register } from '#contracts/accounts.ts';
import { createBulkRun } from '#contracts/bulk-runs.ts';
import { createCampaign, getCampaign } from '#contracts/campaigns.ts';
import { createNote } from '#contracts/conversation-notes.ts';
import { openConversation } from '#contracts/conversations.ts';
import { track, trackBatch } from '#contracts/events.ts';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { createProfile, listProfiles } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { addSuppression } from '#contracts/suppressions.ts';
import { updateMember } from '#contracts/team.ts';
import { createTopic, putNumberTopics } from '#contracts/topics.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { FileMissingError } from '#server/connectors/storage/port.ts';
import type { FileStore } from '#server/connectors/storage/port.ts';
import { sendDueMails } from '#server/modules/identity/mails/index.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { archiveFaults } from '#tests/support/archive-faults.ts';
import { insertProfiles } from '#tests/support/audience.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { holdLock } from '#tests/support/hold-lock.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { makeManyConversations } from '#tests/support/many-of-everything.ts';
import { makeOneOfEverything } from '#tests/support/one-of-everything.ts';
import { tablesWith } from '#tests/support/tables-with.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { archivedTables, leftOut } from './archived-tables.ts';
import { deleteDueAccounts, keptTables } from './delete-account.ts';
import { createExportRunner } from './export-runner.ts';
import { removeOldExports } from './exports.ts';

const dayMs = 86_400_000;
const clock = createTestClock();
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock });
});
afterAll(() => app[Symbol.asyncDispose]());

async function ownedTables(): Promise<string[]> {
  const { rows } = await app.ctx.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function rowsOf(accountId: number): Promise<Record<string, number>> {
  const counted = (await ownedTables()).map(async (name) => {
    const { rows } = await app.ctx.pool.query<{ count: number }>(
      `select count(*)::int as count from ${name} where account_id = $1`,
      [accountId],
    );
    return [name, rows[0]?.count ?? 0] as const;
  });
  return Object.fromEntries((await Promise.all(counted)).filter(([, count]) => count > 0));
}

test('each table of an account is in its archive, or left out for a reason', async () => {
  const named = [...archivedTables, ...Object.values(leftOut).flat()];
  expect(named.toSorted()).toEqual(await ownedTables());
});

describe('an archive', () => {
  async function ended({ api }: Customer, { id }: AccountExport): Promise<AccountExport> {
    const get = async () => (await api.call(getAccountExport, { params: { exportId: id } })).body;
    await expect.poll(async () => (await get()).status).not.toMatch(/waiting|working/);
    return get();
  }

  /** PUBLIC_URL leads to no test. */
  const addressOf = ({ url }: AccountExport) => app.url + new URL(url ?? '').pathname;

  async function read(bytes: ArrayBuffer): Promise<Map<string, string>> {
    const zip = await fromBufferPromise(Buffer.from(bytes));
    const parts = new Map<string, string>();
    for await (const entry of zip.eachEntry()) {
      const stream = await zip.openReadStreamPromise(entry);
      parts.set(entry.fileName, await new Response(stream as never).text());
    }
    return parts;
  }

  test('has the contacts, messages and files of the account, and none of its secrets', async () => {
    const customer = await signUpSubscriber(app.url);
    const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
    await makeOneOfEverything(app, customer, project);
    const { status, body: started } = await customer.api.call(startAccountExport);
    expect(status).toBe(202);
    const archive = await ended(customer, started);
    expect(archive).toMatchObject({ status: 'completed', progress: 1, files: true, error: null });
    const response = await fetch(addressOf(archive));
    expect(response.headers.get('content-type')).toBe('application/zip');
    const bytes = await response.arrayBuffer();
    expect(bytes.byteLength).toBe(archive.size);
    const parts = await read(bytes);
    const lines = (name: string) => (parts.get(`data/${name}.jsonl`) ?? '').trim().split('\n');
    expect(parts.get('contacts.csv')).toContain('14155550123');
    expect(parts.get('messages.csv')).toContain('Hello');
    expect(lines('messages').map((line) => (JSON.parse(line) as { body: string }).body)).toContain('Hello');
    expect(lines('profiles')).toHaveLength(1);
    expect([...parts].find(([name]) => name.startsWith('files/'))?.[1]).toBe('%PDF-1.7');
    const all = [...parts.values()].join('\n');
    for (const secret of [project.auth_key, project.webhook_secret, customer.apiKey, customer.token]) {
      expect(all).not.toContain(secret);
    }
    expect(all).not.toMatch(/_hash|_sealed/);
  });

  test('holds each line and each file as the database has them, and a download that broke off goes on', async () => {
    const customer = await signUpSubscriber(app.url);
    const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
    await insertProfiles(app.ctx.pool, customer.id, 250);
    await makeManyConversations(app.ctx.pool, { accountId: customer.id, projectId: project.id });
    await makeOneOfEverything(app, customer, project);
    // Receipts change what is compared.
    const underWay = `select count(*)::int as n from messages
      where account_id = $1 and direction = 'outgoing' and network_id is not null and status not in ('read', 'failed')`;
    await expect.poll(async () => (await app.ctx.pool.query(underWay, [customer.id])).rows).toEqual([{ n: 0 }]);
    const { body: started } = await customer.api.call(startAccountExport);
    const archive = await ended(customer, started);
    const url = addressOf(archive);
    const whole = await fetch(url);
    const etag = whole.headers.get('etag') ?? '';
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    await whole.body?.cancel();
    const part = async (range: string, ifRange = etag) => {
      const response = await fetch(url, { headers: { range, 'if-range': ifRange } });
      return [
        response.status,
        Buffer.from(await response.arrayBuffer()),
        response.headers.get('content-range'),
      ] as const;
    };
    const size = archive.size ?? 0;
    const [first, rest] = [await part('bytes=0-999'), await part('bytes=1000-')];
    expect([first[0], rest[0]]).toEqual([206, 206]);
    expect(rest[2]).toBe(`bytes 1000-${size - 1}/${size}`);
    expect((await part(`bytes=${size}-`))[0]).toBe(416);
    expect((await part('bytes=0-9', '"another"')).slice(0, 1)).toEqual([200]);
    const path = join(app.ctx.config.dataDir, 'archive.zip');
    await writeFile(path, Buffer.concat([first[1], rest[1]]));
    // Deliveries go on being tried, and a round of the schedule may end the alert.
    const faults = async () =>
      (await archiveFaults(app.ctx.pool, { accountId: customer.id, path })).filter(
        (fault) => !/^data\/(webhook_records|alerts)/.test(fault),
      );
    expect(await faults()).toEqual([]);
    await app.ctx.pool.query(
      'update messages set body = body || $2 where account_id = $1 and id in (select id from messages where account_id = $1 limit 1)',
      [customer.id, '!'],
    );
    expect(await faults()).toEqual([
      expect.stringContaining('messages.csv'),
      expect.stringContaining('messages.jsonl'),
    ]);
  });

  test('is made by one worker, however long a part of it takes', async () => {
    await using alone = await startTestApplication({ clock, env: { ROLES: 'api' } });
    const customer = await signUpSubscriber(alone.url);
    const { body: started } = await customer.api.call(startAccountExport);
    const [storing, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const put: FileStore['put'] = async (key, file) => {
      storing.resolve();
      await stored.promise;
      await alone.ctx.files.put(key, file);
    };
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const runner = createExportRunner({ ...alone.ctx, files: { ...alone.ctx.files, put } });
    try {
      await runner.start();
      await storing.promise;
      clock.advance(120_000);
      vi.advanceTimersByTime(10_000);
      const row = () =>
        alone.ctx.db
          .selectFrom('account_exports')
          .select(['worked_at', 'attempts', 'status'])
          .where('account_id', '=', customer.id)
          .executeTakeFirstOrThrow();
      await expect.poll(async () => (await row()).worked_at).toEqual(clock.now());
      stored.resolve();
      expect(await ended(customer, started)).toMatchObject({ status: 'completed' });
      expect(await row()).toMatchObject({ attempts: 1 });
    } finally {
      stored.resolve();
      await runner.stop();
      vi.useRealTimers();
    }
  });

  test('is mailed to whoever asked for it, unless they may not have it any more', async () => {
    await using alone = await startTestApplication({ clock, env: { ROLES: 'api' } });
    const [owner, admin] = [await signUpSubscriber(alone.url), await signUpSubscriber(alone.url)];
    await joinAccount(alone, owner, admin, 'admin');
    async function make({ api }: Customer, meanwhile: () => Promise<unknown>): Promise<void> {
      const { body: started } = await api.call(startAccountExport);
      await meanwhile();
      const runner = createExportRunner(alone.ctx);
      await runner.start();
      expect(await ended(owner, started)).toMatchObject({ status: 'completed' });
      await runner.stop();
    }
    await make(owner, async () => undefined);
    await make(admin, () => owner.api.call(updateMember, { params: { userId: admin.id }, body: { role: 'viewer' } }));
    await sendDueMails(alone.ctx);
    const directory = join(alone.ctx.config.dataDir, 'mail');
    const mails = await Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8')));
    const ofArchive = mails.filter((mail) => mail.includes('/api/account-exports/'));
    expect(ofArchive.map((mail) => /^To: (.*)$/m.exec(mail)?.[1])).toEqual([owner.email]);
  });

  test('is not left in the storage where it is stopped while it is being put away', async () => {
    await using alone = await startTestApplication({ clock, env: { ROLES: 'api' } });
    const customer = await signUpSubscriber(alone.url);
    const { body: started } = await customer.api.call(startAccountExport, { query: { files: 'false' } });
    const [storing, stored] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const put: FileStore['put'] = async (key, file) => {
      storing.resolve(key);
      await stored.promise;
      await alone.ctx.files.put(key, file);
    };
    const runner = createExportRunner({ ...alone.ctx, files: { ...alone.ctx.files, put } });
    await runner.start();
    const key = await storing.promise;
    await customer.api.call(stopAccountExport, { params: { exportId: started.id } });
    stored.resolve();
    await runner.stop();
    await expect(alone.ctx.files.open(key)).rejects.toThrow(FileMissingError);
    const { body } = await customer.api.call(getAccountExport, { params: { exportId: started.id } });
    expect(body).toMatchObject({ status: 'stopped', url: null });
  });

  test('is made one at a time, stopped, and removed once its link has ended', async () => {
    const customer = await signUpSubscriber(app.url);
    await app.ctx.db
      .insertInto('account_exports')
      .values({
        account_id: customer.id,
        status: 'working',
        with_files: false,
        created_at: clock.now(),
        worked_at: clock.now(),
      })
      .execute();
    const { body: refusal } = await customer.api.refuse(startAccountExport);
    expect(refusal.code).toBe('export_in_progress');
    const [held] = (await customer.api.call(listAccountExports)).body.data;
    await customer.api.call(stopAccountExport, { params: { exportId: held?.id ?? 0 } });
    const { body: started } = await customer.api.call(startAccountExport, { query: { files: 'false' } });
    const url = addressOf(await ended(customer, started));
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(`${url}x`)).status).toBe(404);
    clock.advance(7 * dayMs);
    expect((await fetch(url)).status).toBe(410);
    // Before the round that removes it, too.
    expect(await ended(customer, started)).toMatchObject({ status: 'ended', url: null });
    await removeOldExports(app.ctx);
    const { status, size, url: gone } = await ended(customer, started);
    expect({ status, gone }).toEqual({ status: 'ended', gone: null });
    expect(size).toBeGreaterThan(0);
  });

  test('stays for the next round where the storage does not remove it, keeps no other, and is ended for its owner', async () => {
    const [one, other] = [await signUpSubscriber(app.url), await signUpSubscriber(app.url)];
    const keyOf = async ({ id }: Customer) => {
      const rows = app.ctx.db.selectFrom('account_exports').select('storage_key').where('account_id', '=', id);
      return (await rows.executeTakeFirstOrThrow()).storage_key;
    };
    for (const customer of [one, other]) {
      await ended(customer, (await customer.api.call(startAccountExport, { query: { files: 'false' } })).body);
    }
    const kept = await keyOf(one);
    const files: FileStore = {
      ...app.ctx.files,
      remove: (key) => (key === kept ? Promise.reject(new Error('Denied')) : app.ctx.files.remove(key)),
    };
    clock.advance(7 * dayMs);
    await removeOldExports({ ...app.ctx, files });
    expect([await keyOf(one), await keyOf(other)]).toEqual([kept, null]);
    expect((await one.api.call(listAccountExports)).body.data).toMatchObject([{ status: 'ended' }]);
    await removeOldExports(app.ctx);
    expect(await keyOf(one)).toBeNull();
  });

  test('is for owners and admins who signed in, and only for their account', async () => {
    const [customer, other] = [await signUpSubscriber(app.url), await signUpSubscriber(app.url)];
    const byKey = createApiClient(app.url, { authorization: customer.apiKey });
    expect((await byKey.refuse(startAccountExport)).body.code).toBe('session_required');
    const { body: started } = await customer.api.call(startAccountExport);
    expect((await other.api.refuse(getAccountExport, { params: { exportId: started.id } })).status).toBe(404);
  });
});

test('an export of a person has all that is known of them, and of nobody else', async () => {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const { id: projectId } = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, projectId);
  const [own, other] = ['14155550141', '14155550142'];
  const { body: topic } = await api.call(createTopic, { body: { name: 'Offers' } });
  const { body: run } = await api.call(createBulkRun, {
    body: {
      project_id: projectId,
      message: 'Hi {name}',
      rows: [own, other].map((to) => ({ to, fields: { name: `of ${to}` } })),
    },
  });
  for (const from of [other, own]) {
    await api.call(createProfile, { body: { phone: from } });
    await api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message: `I am ${from}` } });
    const { body: conversation } = await api.call(openConversation, { body: { project_id: projectId, phone: from } });
    const params = { conversationId: conversation.id };
    await api.call(createNote, { params, body: { text: `Met ${from}` } });
    const topics = [{ topic_id: topic.id, state: 'opted_out' as const }];
    await api.call(putNumberTopics, { params: { phone: from }, body: { topics, text: `Said ${from}` } });
    await api.call(trackBatch, {
      body: {
        events: Array.from({ length: 500 }, (_, n) => ({ phone: from, event: 'Seen', properties: { n, from } })),
      },
    });
  }
  await api.call(track, { body: { phone: own, event: 'Paid' } });
  const [profile] = (await api.call(listProfiles, { query: { search: own } })).body.data;
  const path = exportProfile.path.replace('{profileId}', String(profile?.id));
  const response = await fetch(app.url + path, { headers: { authorization: customer.token } });
  const text = await response.text();
  expect(text).not.toContain(other);
  const known = JSON.parse(text) as Record<string, unknown[]> & { profile: unknown };
  expect(known.profile).toEqual(profile);
  expect(known).toMatchObject({
    consents: [{ topic_name: 'Offers', state: 'opted_out', evidence: { text: `Said ${own}` } }],
    notes: [{ text: `Met ${own}`, author: 'Ada Lovelace' }],
    bulk_runs: [{ id: run.id, fields: { name: `of ${own}` } }],
    messages: [{ message: `I am ${own}` }],
  });
  expect(known['events']).toHaveLength(501);
  const { body: key } = await api.call(createAccountKey, {
    body: { name: 'Contacts', scopes: ['contacts:read', 'data:export'] },
  });
  const bounded = (await (await fetch(app.url + path, { headers: { authorization: key.key } })).json()) as typeof known;
  const empty = { conversations: [], notes: [], messages: [], campaigns: [], flows: [], bulk_runs: [] };
  expect(bounded).toMatchObject({ ...empty, consents: [{ state: 'opted_out', evidence: null }] });
  expect(known['events']).toContainEqual(expect.objectContaining({ event: 'Seen', properties: { n: 499, from: own } }));
});

describe('the deletion of an account', () => {
  test('stops it at once, can be taken back for 14 days, and leaves its payments alone', async () => {
    const [customer, other] = [await signUpSubscriber(app.url), await signUpSubscriber(app.url)];
    const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
    await makeOneOfEverything(app, customer, project);
    await makeOneOfEverything(app, other, await makeProject(other, 'http://127.0.0.1:9/hook'));
    const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
    const byApiKey = createApiClient(app.url, { authorization: customer.apiKey });
    const message = { body: { to: '14155550123', message: 'Hi' } };

    const { status, body } = await customer.api.call(deleteAccount);
    expect(status).toBe(202);
    expect(body.deletes_at).toBe(new Date(clock.now().getTime() + 14 * dayMs).toISOString());
    expect((await customer.api.call(deleteAccount)).body).toEqual(body);
    expect((await byKey.refuse(sendMessage, message)).status).toBe(401);
    expect((await byApiKey.refuse(getCurrentUser)).status).toBe(401);
    expect((await customer.api.refuse(createProfile, { body: { phone: '14155550199' } })).body.code).toBe(
      'account_suspended',
    );
    const me = (await customer.api.call(getCurrentUser)).body;
    expect(me).toMatchObject({ deletes_at: body.deletes_at, suspension: null });
    expect(me.subscription.status).toBe('cancelled');
    const params = { projectId: project.id };
    const phones = async () => (await customer.api.call(listPhoneNumbers, { params })).body.data;
    expect((await phones()).map(({ is_connected }) => is_connected)).not.toContain(true);

    clock.advance(13 * dayMs);
    await deleteDueAccounts(app.ctx);
    expect((await customer.api.call(keepAccount)).body.deletes_at).toBeNull();
    expect((await customer.api.refuse(keepAccount)).body.code).toBe('not_to_be_deleted');
    expect((await customer.api.call(getCurrentUser)).body.deletes_at).toBeNull();
    expect((await byApiKey.call(getCurrentUser)).status).toBe(200);

    const password = customer.password;
    expect((await customer.api.refuse(deleteAccount)).body.code).toBe('confirm_identity');
    await app.ctx.db
      .updateTable('sessions')
      .set({ confirmed_at: clock.now() })
      .where('account_id', '=', customer.id)
      .execute();
    const [before, paid] = [await rowsOf(other.id), (await rowsOf(customer.id))['payments']];
    await customer.api.call(deleteAccount);
    clock.advance(14 * dayMs);
    await deleteDueAccounts(app.ctx);
    expect(await rowsOf(customer.id)).toEqual({ payments: paid, memberships: 1 });
    expect(Object.keys(await rowsOf(customer.id)).every((name) => keptTables.includes(name))).toBe(true);
    expect(await rowsOf(other.id)).toMatchObject({ messages: before['messages'], profiles: before['profiles'] });
    expect(await tablesWith(app.ctx.pool, customer.email)).toEqual([]);
    expect((await customer.api.refuse(getCurrentUser)).status).toBe(401);
    const credentials = { email: customer.email, password };
    expect((await createApiClient(app.url).refuse(login, { body: credentials })).status).toBe(401);
    await createApiClient(app.url).call(register, { body: { name: 'Ada', ...credentials } });
    await deleteDueAccounts(app.ctx);
  });
});

describe('the deletion of an account that is due', () => {
  test('does not come where an owner kept it while the account before it was deleted', async () => {
    const [first, second] = [await signUpSubscriber(app.url), await signUpSubscriber(app.url)];
    await first.api.call(deleteAccount);
    clock.advance(1_000);
    await second.api.call(deleteAccount);
    const release = await holdLock(app.ctx.pool, 'select from memberships where account_id = $1 for update', [
      first.id,
    ]);
    clock.advance(14 * dayMs);
    const deleting = deleteDueAccounts(app.ctx);
    await untilSomebodyWaits(app.ctx.pool);
    expect((await second.api.call(keepAccount)).body.deletes_at).toBeNull();
    await release();
    await deleting;
    expect((await first.api.refuse(getCurrentUser)).status).toBe(401);
    expect((await second.api.call(getCurrentUser)).body).toMatchObject({ role: 'owner', deletes_at: null });
  });
});

describe('a person who is erased', () => {
  test('is named nowhere any more, counts stay, and the number stays opted out', async () => {
    const customer = await signUpSubscriber(app.url);
    const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
    const phone = await connectSandboxPhone(customer, project.id);
    const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
    const [number, name] = ['34613300123', 'Quintessa'];
    const { body: profile } = await customer.api.call(createProfile, { body: { phone: `+${number}`, name } });
    await customer.api.call(createProfile, { body: { phone: '+34613300124', name: 'Bea' } });
    await byKey.call(sendMessage, { body: { to: `+${number}`, message: 'Your order' } });
    const from = { from: `+${number}`, message: 'Thanks' };
    await customer.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: from });
    const condition = { fieldPath: 'name', operator: 'exists' } as const;
    const { body: segment } = await customer.api.call(createSegment, { body: { name: 'Named', condition } });
    const { body: campaign } = await customer.api.call(createCampaign, {
      body: { name: 'Hello', project_id: project.id, segment_id: segment.id, message: 'Hi {name}' },
    });
    const params = { campaignId: campaign.id };
    const counts = async () => (await customer.api.call(getCampaign, { params })).body;
    await expect.poll(async () => (await counts()).sent_count).toBe(2);
    await customer.api.call(addSuppression, { body: { phone: `+${number}` } });
    // Of what the handset answered to it.
    await expect.poll(async () => (await tablesWith(app.ctx.pool, '"read"')).includes('messages')).toBe(true);

    const erase = { params: { profileId: profile.id } };
    expect((await customer.api.call(eraseProfile, erase)).status).toBe(204);
    expect((await customer.api.refuse(eraseProfile, erase)).status).toBe(404);
    expect([...(await tablesWith(app.ctx.pool, number)), ...(await tablesWith(app.ctx.pool, name))]).toEqual([]);
    expect(await counts()).toMatchObject({ sent_count: 2, total_count: 2 });
    expect((await customer.api.call(listProfiles)).body.total).toBe(1);

    const { body: refusal } = await byKey.refuse(sendMessage, { body: { to: `+${number}`, message: 'Again' } });
    expect(refusal.code).toBe('opted_out');
    const { body: anew } = await customer.api.call(createProfile, { body: { phone: `+${number}` } });
    expect((await customer.api.call(listProfiles, { query: { opted_out: 'true' } })).body.data).toMatchObject([
      { id: anew.id, opted_out: true },
    ]);
  });
});
