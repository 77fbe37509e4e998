import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { addPhoneNumber } from '#contracts/phone-numbers.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { suppressNumbers } from '#server/modules/audience/suppressions/index.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createRandom } from '#tests/support/random.ts';
import type { Random } from '#tests/support/random.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { acceptMessages } from '../accept-message.ts';
import { claimMessages, returnUnsent } from '../outbox.ts';
import { recoverMessages } from '../recover-messages.ts';
import { settleMessages } from '../settle-messages.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));
const rounds = Number(process.env['ROUNDS'] ?? 8);
const actors = 6;
const steps = 12;

let app: TestApplication;

beforeAll(async () => {
  // Without a worker: the test claims, crashes and settles itself.
  app = await startTestApplication({ env: { ROLES: 'api' } });
  await asOwner(
    app,
    `create table departures (id bigint generated always as identity primary key, message_id bigint, recipient text);
     grant all on departures to public;
     create function note_departure() returns trigger language plpgsql as $$
     begin
       if new.status = 'sending' and (tg_op = 'INSERT' or old.status is distinct from 'sending') then
         insert into departures (message_id, recipient) values (new.id, new.recipient);
       end if;
       return null;
     end $$;
     create trigger notes_departures after insert or update on messages
       for each row when (not new.override_opt_out) execute function note_departure()`,
  );
});

afterAll(() => app[Symbol.asyncDispose]());

async function scene() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const phoneIds: number[] = [];
  for (const number of ['442070000001', '442070000002']) {
    const body = { phone_number: number, connector: 'sandbox', max_daily_messages: 100_000 } as const;
    const { body: phone } = await customer.api.call(addPhoneNumber, { params: { projectId: project.id }, body });
    phoneIds.push(phone.id);
  }
  await app.ctx.pool.query(`update phones set status = 'connected' where account_id = $1`, [customer.id]);
  return { accountId: customer.id, projectId: project.id, phoneIds };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** As many departures of this number's messages as are committed. */
async function departuresOf({ db }: Pick<Context, 'db'>, number: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from departures where phone_key(recipient) = phone_key(${number}::text)
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** The actions of workers, callers and people on an account at the same time. */
function actions({ accountId, projectId, phoneIds }: Scene, numbers: readonly string[], random: Random) {
  const { ctx } = app;
  const account = { id: accountId, timezone: 'UTC' };
  const leases = new Map(phoneIds.map((phoneId) => [phoneId, { accountId, phoneId, token: 0 }]));
  const leaseOf = (phoneId: number) => leases.get(phoneId) ?? { accountId, phoneId, token: 0 };
  /** Messages that had left when the opt-out was about to commit. */
  const leftBefore = new Map<string, number>();
  const createId = () => `N${random.below(1e9)}-${random.below(1e9)}`;

  const crash = async () => {
    const phoneId = random.pick(phoneIds);
    const { rows } = await ctx.pool.query<{ token: number }>(
      `insert into phone_leases (account_id, phone_id, owner, token, expires_at)
       values ($1, $2, 'test', nextval('lease_token_seq'), now() + interval '1 hour')
       on conflict (phone_id) do update set token = excluded.token, expires_at = excluded.expires_at
       returning token`,
      [accountId, phoneId],
    );
    const lease = { accountId, phoneId, token: Number(rows[0]?.token) };
    leases.set(phoneId, lease);
    // A worker that loses to the phone's earlier one, which settles still, adopts the phone anew.
    await retryConflicts(() => recoverMessages(ctx, lease, { resendIsHarmless: true }));
  };

  const accept = async () => {
    const isDirect = random.chance(0.7);
    const submissions = Array.from({ length: 1 + random.below(4) }, () => ({
      to: random.pick(numbers),
      content: { type: 'text' as const, text: 'Hello' },
      override_opt_out: random.chance(0.1),
      key: undefined,
      onId: () => undefined,
    }));
    const nothing = () => undefined;
    const reserve = (phoneId: number) =>
      random.chance(0.6)
        ? { lease: leaseOf(phoneId), networkId: createId(), send: nothing, cancel: nothing, abandon: nothing }
        : undefined;
    const scope = isDirect ? { account, projectId, reserve } : { account, projectId, isQueued: true };
    await acceptMessages(ctx, scope, submissions);
  };

  const claim = async () => {
    const claims = phoneIds.map((phoneId) => ({
      lease: leaseOf(phoneId),
      networkIds: Array.from({ length: 1 + random.below(5) }, createId),
      isKnownOnly: false,
    }));
    await claimMessages(ctx, claims);
  };

  const settleSome = async () => {
    const lease = leaseOf(random.pick(phoneIds));
    const { rows } = await ctx.pool.query<{ network_id: string }>(
      `select network_id from messages where phone_id = $1 and status = 'sending' limit 3`,
      [lease.phoneId],
    );
    const outcome = random.chance(0.3)
      ? ({ kind: 'accepted', at: new Date() } as const)
      : ({ kind: 'unknown', reason: 'Broke', isAttempted: false } as const);
    const batch = rows.map(({ network_id: networkId }) => ({
      authority: { kind: 'lease' as const, lease },
      networkId,
      news: { kind: 'outcome' as const, outcome },
      resendIsHarmless: true,
    }));
    await retryConflicts(() => settleMessages(ctx, batch));
  };

  const giveBack = () => returnUnsent(ctx, leaseOf(random.pick(phoneIds)), []);

  const optOut = async () => {
    const phone = random.pick(numbers);
    if (leftBefore.has(phone)) return;
    await inTransaction(ctx, async (tx) => {
      const added = await suppressNumbers(tx, { accountId, numbers: [{ phone }], by: 'user' });
      if (added.size > 0) leftBefore.set(phone, await departuresOf(tx, phone));
    });
  };

  return { crash, accept, claim, settleSome, giveBack, optOut, leftBefore };
}

test(`whatever comes in whatever order, nothing leaves for a number after its opt-out has committed (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const own = await scene();
  let optOuts = 0;
  for (let round = 0; round < rounds; round += 1) {
    const numbers = Array.from({ length: 4 }, (_, n) => `1415${String(round).padStart(3, '0')}${1000 + n}`);
    const { crash, accept, claim, settleSome, giveBack, optOut, leftBefore } = actions(own, numbers, random);
    const choices = [accept, accept, accept, claim, claim, claim, settleSome, giveBack, crash, optOut];
    await crash();
    await Promise.all(
      Array.from({ length: actors }, async () => {
        for (let step = 0; step < steps; step += 1) await random.pick(choices)();
      }),
    );
    // Whatever lies about is tried once more.
    for (let time = 0; time < 4; time += 1) {
      await crash();
      await claim();
    }
    for (const [number, before] of leftBefore) {
      optOuts += 1;
      expect([number, await departuresOf(app.ctx, number)]).toEqual([number, before]);
    }
  }
  expect(optOuts).toBeGreaterThan(rounds);
  const { rows } = await app.ctx.pool.query<{ code: string; count: number }>(
    `select error_code as code, count(*)::int as count from messages
      where account_id = $1 and status = 'failed' group by error_code`,
    [own.accountId],
  );
  expect(rows.map(({ code }) => code)).toEqual(['opted_out']);
});

const to = '14155559999';

test('an opt-out waits for who accepts a message at that moment, and withdraws it', async () => {
  const own = await scene();
  const account = { id: own.accountId, timezone: 'UTC' };
  const accepted = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const accepting = inTransaction(app.ctx, async (tx) => {
    const content = { type: 'text' as const, text: 'Hello' };
    const submission = { to, content, key: undefined, onId: () => undefined };
    await acceptMessages(tx, { account, projectId: own.projectId }, [submission]);
    accepted.resolve();
    await goOn.promise;
  });
  await accepted.promise;
  const optingOut = inTransaction(app.ctx, (tx) =>
    suppressNumbers(tx, { accountId: own.accountId, numbers: [{ phone: to }], by: 'user' }),
  );
  await untilSomebodyWaits(app.ctx.pool);
  goOn.resolve();
  await Promise.all([accepting, optingOut]);
  const { rows } = await app.ctx.pool.query('select status, error_code from messages where account_id = $1', [
    own.accountId,
  ]);
  expect(rows).toEqual([{ status: 'failed', error_code: 'opted_out' }]);
});

test('returning a message to the outbox waits for the opt-out that is under way', async () => {
  const own = await scene();
  const { crash, accept, claim } = actions(own, [to], createRandom(1));
  await crash();
  await accept();
  await claim();
  const suppressed = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const optingOut = inTransaction(app.ctx, async (tx) => {
    await suppressNumbers(tx, { accountId: own.accountId, numbers: [{ phone: to }], by: 'user' });
    suppressed.resolve();
    await goOn.promise;
  });
  await suppressed.promise;
  const { rows: sending } = await app.ctx.pool.query<{ phone_id: number }>(
    `select phone_id from messages where account_id = $1 and status = 'sending' and not override_opt_out`,
    [own.accountId],
  );
  expect(sending.length).toBeGreaterThan(0);
  const lease = { accountId: own.accountId, phoneId: sending[0]?.phone_id ?? 0, token: Number.MAX_SAFE_INTEGER };
  const recovering = recoverMessages(app.ctx, lease, { resendIsHarmless: true });
  await untilSomebodyWaits(app.ctx.pool);
  goOn.resolve();
  await Promise.all([optingOut, recovering]);
});

test('each phone counts what it was given and what was not taken back, and nothing else', async () => {
  const { rows } = await app.ctx.pool.query<{ id: number; counted: number; kept: number }>(
    `select p.id, p.daily_count as counted,
            (select count(*)::int from messages m where m.phone_id = p.id and m.counted_day is not null) as kept
       from phones p where p.daily_count > 0`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { counted, kept } of rows) expect(counted).toBe(kept);
});
