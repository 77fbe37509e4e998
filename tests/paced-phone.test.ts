import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/context.ts';
import {
  claimQueued,
  findHeldOfOrigin,
  queueMessages,
  recallMessages,
  recoverMessages,
  settleMessages,
} from '#server/modules/messaging/messages/index.ts';
import { claimLeases, expireLeasesOf } from '#server/modules/numbers/links/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { insertProfiles } from './support/audience.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { createRandom } from './support/random.ts';
import { createTestClock } from './support/test-clock.ts';
import type { TestClock } from './support/test-clock.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

let app: TestApplication;

beforeAll(async () => {
  // Its own worker finds nothing: the test plays the workers, in virtual time.
  app = await startTestApplication({ env: { ROLES: 'api' } });
});

afterAll(() => app[Symbol.asyncDispose]());

type Sent = { atMs: number; to: string; isFirst: boolean };
type Scene = {
  clock: TestClock;
  ctx: TestApplication['ctx'];
  scope: { account: { id: number; timezone: string }; projectId: number };
  phoneId: number;
};

/** A project with one WhatsApp phone that seems connected, on the fourth week of its warm-up. */
async function makeScene(start: Date, timezone: string): Promise<Scene> {
  const customer = await signUpSubscriber(app.url, timezone);
  const { id: projectId } = await makeProject(customer);
  const clock = createTestClock(start);
  const ctx = { ...app.ctx, clock };
  const phone = await ctx.db
    .insertInto('phones')
    .values({
      account_id: customer.id,
      project_id: projectId,
      number: '442070000001',
      connector: 'whatsapp',
      status: 'connected',
      wanted: 'online',
      status_changed_at: start,
      created_at: start,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const linkedAt = new Date(start.getTime() - 22 * dayMs);
  await ctx.db
    .insertInto('phone_health')
    .values({
      account_id: customer.id,
      phone_id: phone.id,
      facts: JSON.stringify({ linkedAt, rampDay: 22, rampOn: start.toISOString().slice(0, 10), idleFrom: start }),
      state_since: start,
    })
    .execute();
  return { clock, ctx, scope: { account: { id: customer.id, timezone }, projectId }, phoneId: phone.id };
}

/** Numbers of two countries whose days hardly meet; every third person has written before. */
const isKnown = (person: number) => person % 3 === 0;
const numberOf = (person: number) => (person % 2 === 0 ? `44750090${1000 + person}` : `6421${200_000 + person}`);
const hourIn = (zone: string, atMs: number) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(atMs));

async function writeFirst({ ctx, scope, phoneId, clock }: Scene, people: number): Promise<void> {
  for (let person = 0; person < people; person += 1) {
    if (!isKnown(person)) continue;
    await ctx.db
      .insertInto('phone_contacts')
      .values({
        account_id: scope.account.id,
        phone_id: phoneId,
        phone_key: numberOf(person),
        wrote_at: clock.now(),
        refused_at: null,
      })
      .execute();
  }
}

/** Another worker has the phone now, and finds what the last one was sending. */
async function takeOver({ ctx, phoneId }: Scene, owner: string): Promise<Lease> {
  await ctx.pool.query(`update phone_leases set expires_at = now() - interval '1 second' where phone_id = $1`, [
    phoneId,
  ]);
  const lease = (await claimLeases(ctx, { owner, limit: 100 })).find((each) => each.phoneId === phoneId);
  if (!lease) throw new Error('The lease was not free');
  // Real time has no part in this.
  await ctx.pool.query(`update phone_leases set expires_at = now() + interval '1 hour' where phone_id = $1`, [phoneId]);
  await recoverMessages(ctx, lease, { resendIsHarmless: true });
  return lease;
}

test.each([1])(
  'no queued message leaves outside the allowance, gap or hours of its phone, whatever crashes (seed %i)',
  { timeout: 180_000 },
  async (seed) => {
    const random = createRandom(seed);
    const scene = await makeScene(new Date('2026-06-10T05:00:00Z'), 'Europe/London');
    const { ctx, clock, scope, phoneId } = scene;
    const people = 240;
    await insertProfiles(ctx.pool, scope.account.id, people);
    const { rows: profiles } = await ctx.pool.query<{ id: number }>('select id from profiles where account_id = $1', [
      scope.account.id,
    ]);
    await writeFirst(scene, people);
    let next = 0;
    const sent: Sent[] = [];
    let networkIds = 0;
    let lease = await takeOver(scene, 'worker-0');
    const stale: Lease[] = [];
    const until = clock.now().getTime() + dayMs;

    while (clock.now().getTime() < until) {
      // A ledger offers somebody; a process that dies amid it leaves nothing behind.
      const person = next % people;
      const queueing = await inTransaction(ctx, async (tx) => {
        const text = {
          profileId: profiles[person]?.id ?? 0,
          to: numberOf(person),
          message: 'Hello',
          origin: { campaignId: 1 },
        };
        const [answer] = await queueMessages(tx, scope, [text]);
        if (random.chance(0.1)) throw new Error('crash');
        return answer;
      }).catch(() => undefined);
      if (queueing?.kind === 'queued' || queueing?.kind === 'later') next += 1;
      // Between the hand-over and the claim anything may pass: an outage until the night, say.
      clock.advance(random.chance(0.015) ? random.below(10) * hourMs : random.below(3) * secondMs);
      // Two workers ask at once, one of which has lost the phone.
      const asking = random.chance(0.2) && stale.length > 0 ? [lease, random.pick(stale)] : [lease, lease];
      const claims = await Promise.all(
        asking.map((held) =>
          claimQueued(ctx, {
            lease: held,
            networkId: `N${(networkIds += 1)}`,
            random: () => random.below(1_000) / 1_000,
          }),
        ),
      );
      const claimed = claims.flatMap(({ message }) => message ?? []);
      for (const message of claimed) {
        const written = Array.from({ length: people }, (_, index) => index).find(
          (index) => numberOf(index) === message.to,
        );
        sent.push({ atMs: clock.now().getTime(), to: message.to, isFirst: !isKnown(written ?? 1) });
        if (random.chance(0.1)) {
          // The worker dies while it sends.
          stale.push(lease);
          await expireLeasesOf(ctx, 'nobody');
          lease = await takeOver(scene, `worker-${stale.length}`);
          continue;
        }
        const from = {
          authority: { kind: 'lease', lease },
          networkId: message.networkId,
          resendIsHarmless: true,
        } as const;
        const delivered = { networkId: message.networkId, status: 'delivered', at: clock.now() } as const;
        await settleMessages(ctx, [
          { ...from, news: { kind: 'outcome', outcome: { kind: 'accepted', at: clock.now() } } },
          { ...from, news: { kind: 'receipt', receipt: delivered } },
        ]);
      }
      // Messages that cannot go from this phone any more return to their ledger, as feeding does.
      await inTransaction({ ...ctx, ...scope }, async (tx) => {
        const messageIds = await findHeldOfOrigin(tx, { campaignId: 1 });
        await recallMessages(tx, { accountId: scope.account.id, messageIds });
      });
      const waits = claims.flatMap(({ nextAt }) => nextAt?.getTime() ?? []);
      const pauseMs = waits.length > 0 ? Math.min(...waits) - clock.now().getTime() : 5 * secondMs;
      clock.advance(Math.max(1, Math.min(pauseMs, 2 * minuteMs)));
    }

    expect(sent.filter(({ isFirst }) => isFirst).length).toBeGreaterThan(20);
    expect(sent.filter(({ isFirst }) => !isFirst).length).toBeGreaterThan(20);
    for (const [index, send] of sent.entries()) {
      const before = sent.slice(0, index);
      const last = before.at(-1);
      if (last) expect(send.atMs - last.atMs).toBeGreaterThanOrEqual(3 * secondMs);
      if (!send.isFirst) continue;
      const lastFirst = before.findLast(({ isFirst }) => isFirst);
      if (lastFirst) expect(send.atMs - lastFirst.atMs).toBeGreaterThanOrEqual(45 * secondMs);
      const zone = send.to.startsWith('44') ? 'Europe/London' : 'Pacific/Auckland';
      expect(hourIn(zone, send.atMs)).toBeGreaterThanOrEqual(9);
      expect(hourIn(zone, send.atMs)).toBeLessThan(20);
      const inHour = sent.filter(({ isFirst, atMs }) => isFirst && atMs <= send.atMs && atMs > send.atMs - hourMs);
      expect(inHour.length).toBeLessThanOrEqual(30);
    }
    // 60 first contacts a day in the fourth week, from nine o'clock in London on.
    const byDay = Map.groupBy(
      sent.filter(({ isFirst }) => isFirst),
      ({ atMs }) => new Date(atMs - 8 * hourMs).toISOString().slice(0, 10),
    );
    for (const ofDay of byDay.values()) expect(new Set(ofDay.map(({ to }) => to)).size).toBeLessThanOrEqual(60);
    const { rows } = await ctx.pool.query<{ statuses: string[] }>(
      `select array_agg(distinct status) as statuses from messages where phone_id = $1`,
      [phoneId],
    );
    expect(rows[0]?.statuses).not.toContain('failed');
  },
);
