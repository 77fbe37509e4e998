import { Agent, request } from 'undici';
import { expect } from 'vitest';
import type { WebhookPayload } from '#contracts/webhooks.ts';
import type { Worker } from './cluster.ts';
import type { StormScene } from './storm-scene.ts';
import type { WorkUnderWay } from './work-under-way.ts';

const settleTimeoutMs = 240_000;

/** Waits until nothing is under way any more. */
export async function untilSettled({ cluster, profileCount }: StormScene, work: WorkUnderWay): Promise<void> {
  const open = async () => {
    const [row] = await cluster.query(
      `select (select count(*) from messages where status in ('pending', 'sending'))::int as messages,
              (select count(*) from webhook_records where status = 'pending')::int as webhooks,
              (select count(*) from campaigns where status <> 'completed')::int as campaigns`,
    );
    return row;
  };
  const wanted = { messages: 0, webhooks: 0, campaigns: 0 };
  for (const { id } of work.flows) {
    const served = () =>
      cluster.query(
        `select f.is_active, f.last_error, f.waiting_for, f.next_run_at, f.next_feed_at, f.paced_until, d.status, d.reason, count(d)::int
           from flows f left join flow_deliveries d on d.account_id = f.account_id and d.flow_id = f.id
          where f.id = $1 group by f.account_id, f.id, d.status, d.reason`,
        [id],
      );
    await expect
      .poll(served, { timeout: settleTimeoutMs, interval: 250 })
      .toEqual([expect.objectContaining({ status: 'sent', count: profileCount })]);
  }
  await expect.poll(open, { timeout: settleTimeoutMs, interval: 250 }).toEqual(wanted);
}

/** Counts everything: nothing is lost, nothing is there twice. Answers how much there was. */
export async function audit(scene: StormScene, work: WorkUnderWay) {
  await expectStreamsAreStored(scene);
  await expectRecipientsOnce(scene, work);
  const texts = await expectContactsOnce(scene, work);
  const webhooks = await expectWebhooksOnce(scene);
  await expectIncomingOnce(scene);
  await expectMailsArrive(scene);
  await expectCountsAreTrue(scene);
  await expectPhonesHeldOnce(scene);
  for (const { name, product } of scene.cluster.workers) expect(product.hasExited(), name).toBe(false);
  const [row] = await scene.cluster.query(
    `select count(*)::int as messages from messages where direction = 'outgoing'`,
  );
  return { ...row, texts, webhooks, campaigns: work.campaigns.length, flows: work.flows.length };
}

async function expectStreamsAreStored({ cluster, streams, shop, neighbour }: StormScene): Promise<void> {
  for (const [stream, { projectId }] of [
    [streams.shop, shop],
    [streams.neighbour, neighbour],
  ] as const) {
    expect(stream.faults).toEqual([]);
    const stored = await cluster.query<{ id: number; body: string; status: string; error: string | null }>(
      `select id, body, status, error from messages
        where project_id = $1 and direction = 'outgoing' and campaign_id is null and flow_id is null and body <> 'Timed'`,
      [projectId],
    );
    const accepted = [...stream.accepted].map(([text, { id }]) => `${id} ${text}`);
    expect(stored.map(({ id, body }) => `${id} ${body}`).toSorted()).toEqual(accepted.toSorted());
    expect(stored.filter(({ status }) => !['sent', 'delivered', 'read'].includes(status))).toEqual([]);
  }
}

/** Each recipient of each campaign and each flow has one message, which was sent. */
async function expectRecipientsOnce({ cluster, profileCount }: StormScene, work: WorkUnderWay): Promise<void> {
  const of = (column: string) =>
    cluster.query(
      `select ${column} as id, count(*)::int as messages, count(distinct profile_id)::int as recipients,
              count(*) filter (where status in ('sent', 'delivered', 'read'))::int as sent
         from messages where ${column} is not null group by 1 order by 1`,
    );
  const each = { messages: profileCount, recipients: profileCount, sent: profileCount };
  expect(await of('campaign_id')).toEqual(work.campaigns.map(({ id }) => ({ id, ...each })));
  expect(await of('flow_id')).toEqual(work.flows.map(({ id }) => ({ id, ...each })));
}

/** Expects contacts' phones to show each text under one id, once. */
async function expectContactsOnce(scene: StormScene, { campaigns }: WorkUnderWay): Promise<number> {
  const { whatsApp, cluster, shop, streams } = scene;
  const expected = new Map<string, string[]>();
  for (const [text, { to }] of streams.shop.accepted) expected.set(to, [...(expected.get(to) ?? []), text]);
  const people = await cluster.query<{ phone: string; name: string }>(
    'select phone, name from profiles where account_id = $1',
    [shop.id],
  );
  for (const { phone, name } of people) {
    const texts = campaigns.map(({ message }) => message.replace('{name}', name));
    expected.set(phone, [...(expected.get(phone) ?? []), ...texts]);
  }
  let count = 0;
  for (const [phone, texts] of expected) {
    const shown = await whatsApp.control.readContact(phone);
    expect({ phone, texts: shown.texts.map(({ text }) => text).toSorted() }).toEqual({
      phone,
      texts: texts.toSorted(),
    });
    expect(new Set(shown.arrivals.map(({ id }) => id)).size).toBe(texts.length);
    count += texts.length;
  }
  return count;
}

/** The receiver got each event of a message, under one id however often it came. */
async function expectWebhooksOnce({ receiver, streams }: StormScene): Promise<number> {
  const idsOf = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.received) {
    const { type, data } = JSON.parse(body) as WebhookPayload;
    if (type !== 'message.sent') continue;
    const key = String(data['id']);
    idsOf.set(key, (idsOf.get(key) ?? new Set()).add(String(headers['webhook-id'])));
  }
  const missing = [...streams.shop.accepted.values()].filter(({ id }) => !idsOf.has(String(id)));
  expect(missing).toEqual([]);
  expect([...idsOf].filter(([, ids]) => ids.size !== 1)).toEqual([]);
  return receiver.received.length;
}

async function expectIncomingOnce({ cluster, incoming, shop }: StormScene): Promise<void> {
  const stored = async () => {
    const rows = await cluster.query<{ body: string }>(
      `select body from messages where account_id = $1 and direction = 'incoming'`,
      [shop.id],
    );
    return rows.map(({ body }) => body.split(' ').slice(0, 2).join(' ')).toSorted();
  };
  await expect.poll(stored, { timeout: 30_000 }).toEqual(incoming.toSorted());
}

/** A process that is killed as it hands a mail over sends it again. */
async function expectMailsArrive({ mail, newcomers }: StormScene): Promise<void> {
  const missing = () => {
    const reached = new Set(mail.mails().map(({ to }) => to));
    return newcomers.filter((email) => !reached.has(email));
  };
  await expect.poll(missing, { timeout: settleTimeoutMs }).toEqual([]);
}

async function expectCountsAreTrue({ cluster, abuser }: StormScene): Promise<void> {
  const rows = await cluster.query(
    `select (select sum(sent)::int from message_counts where account_id <> $1) as counted,
            (select count(*)::int from messages where direction = 'outgoing' and account_id <> $1) as stored`,
    [abuser.id],
  );
  expect(rows[0]).toMatchObject({ counted: rows[0]?.['stored'] });
}

/**
 * Each process holds the phones whose leases it has, so that none is held by two. Where a cell moves, a process that
 * starts meanwhile may lease under a name for its run alone.
 */
async function expectPhonesHeldOnce({ cluster }: StormScene): Promise<void> {
  const heldBy = async ({ product }: Worker) => {
    // Metrics are for this machine alone, which an address whose packets can be lost does not look like.
    const dispatcher = new Agent({ localAddress: '127.0.0.1' });
    const { body } = await request(`${product.url}/metrics`, { dispatcher, headers: { host: 'localhost' } });
    const held = /^dovepost_phones_held (\d+)/m.exec(await body.text())?.[1];
    await dispatcher.close();
    return Number(held);
  };
  const inOrder = (counts: readonly number[]) => counts.filter((count) => count !== 0).toSorted((a, b) => a - b);
  const phones = await cluster.query(`select from phones where wanted <> 'offline'`);
  const state = async () => {
    const held = await Promise.all(cluster.workers.map(heldBy));
    const names = await Promise.all(cluster.workers.map((worker) => worker.owner()));
    const leases = await cluster.query<{ owner: string; count: number }>(
      'select owner, count(*)::int as count from phone_leases group by owner',
    );
    const leased = new Map(leases.map(({ owner, count }) => [owner, count]));
    const ofOtherNames = leases.flatMap(({ owner, count }) => (names.includes(owner) ? [] : [count]));
    const differences = held.map((count, index) => count - (leased.get(names[index] ?? '') ?? 0));
    return { differences, ofOtherNames, free: phones.length - sum([...leased.values()]) };
  };
  const isRight = ({ differences, ofOtherNames, free }: Awaited<ReturnType<typeof state>>) =>
    free === 0 &&
    (cluster.moveCell !== undefined || ofOtherNames.length === 0) &&
    inOrder(differences).join() === inOrder(ofOtherNames).join();
  await expect.poll(state, { timeout: 30_000 }).toSatisfy(isRight);
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
