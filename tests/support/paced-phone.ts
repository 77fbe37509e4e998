import { claimLeases } from '#server/modules/numbers/links/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import type { TestApplication } from './application.ts';
import type { Customer } from './customer.ts';
import { createTestClock } from './test-clock.ts';
import type { TestClock } from './test-clock.ts';

const dayMs = 24 * 60 * 60_000;

/** A WhatsApp phone in virtual time, that seems connected; `lease` is the test's own. */
export type PacedPhone = {
  clock: TestClock;
  ctx: TestApplication['ctx'];
  phoneId: number;
  lease: Lease;
};

type Options = { start: Date; facts?: object; number?: string };

/** On day 22 of its warm-up, unless `facts` say otherwise. */
export async function addPacedPhone(
  app: TestApplication,
  { customer, projectId }: { customer: Customer; projectId: number },
  { start, facts, number = '442070000001' }: Options,
): Promise<PacedPhone> {
  const clock = createTestClock(start);
  const ctx = { ...app.ctx, clock };
  const phone = await ctx.db
    .insertInto('phones')
    .values({
      account_id: customer.id,
      project_id: projectId,
      number,
      connector: 'whatsapp',
      status: 'connected',
      wanted: 'online',
      status_changed_at: start,
      created_at: start,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const linkedAt = new Date(start.getTime() - 22 * dayMs);
  const rampOn = start.toISOString().slice(0, 10);
  await ctx.db
    .insertInto('phone_health')
    .values({
      account_id: customer.id,
      phone_id: phone.id,
      facts: JSON.stringify({ linkedAt, rampDay: 22, rampOn, idleFrom: start, ...facts }),
      state_since: start,
    })
    .execute();
  return { clock, ctx, phoneId: phone.id, lease: await takeLease(app, phone.id) };
}

/** Real time has no part in it: it does not end by itself. */
async function takeLease({ ctx }: TestApplication, phoneId: number): Promise<Lease> {
  const leases = await claimLeases(ctx, { owner: `test-${phoneId}`, limit: 1_000 });
  const lease = leases.find((each) => each.phoneId === phoneId);
  if (!lease) throw new Error('The lease was not free');
  await ctx.pool.query(`update phone_leases set expires_at = now() + interval '1 hour' where phone_id = $1`, [phoneId]);
  return lease;
}
