import type { Context } from '#server/context.ts';
import { StaleLeaseError } from '#server/connectors/messaging/port.ts';
import { recoverMessages } from '#server/modules/messaging/messages/index.ts';
import {
  claimLeases,
  createCredentialStores,
  findFree,
  findLeasedPhones,
  recordReconnecting,
  recordSignedOut,
} from '#server/modules/numbers/links/index.ts';
import type { Balance, Lease } from '#server/modules/numbers/links/index.ts';
import type { PhoneRow } from '#server/modules/numbers/phones/index.ts';
import { createBackoff } from '#server/platform/backoff.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Health } from '#server/platform/service.ts';
import type { BalanceReader } from './balance.ts';
import type { HandingOver } from './handing-over.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { PhoneSession, PhoneSessionOptions } from './phone-session.ts';
import { phonesToTake, shareOf } from './share.ts';
import { createTakeoverLog } from './takeover-log.ts';

const failsAfterMs = 30_000;

/** Shown to the owner of a phone. */
const notOpened = 'The link could not be opened on our side. It is tried again by itself.';

/** A phone whose session ends, or cannot be opened, over and over is left alone for longer each time. */
const reopenPause = { firstMs: 250, longestMs: 60_000 };
/** A session that lasted for this long was a good one. */
const lastingMs = 60_000;

export type Adopting = {
  /** Takes phones that are free, up to this worker's share: some of these may be. */
  request(phoneIds: readonly number[]): void;
  /** The same, and also what the last poll left to others and nobody took. */
  poll(): void;
  /** Takes what there is now; resolves once all of it is open. */
  run(): Promise<void>;
  /** Resolves once nothing is being opened any more. */
  stop(): Promise<void>;
};

/** The input of a new session; `onEnd`: it is over, and its lease may go. */
export type Opening = Pick<PhoneSessionOptions, 'lease' | 'phone' | 'connector' | 'credentials' | 'onEnd'>;

type Options = {
  balance: BalanceReader;
  sessions: Map<number, PhoneSession>;
  keeper: LeaseKeeper;
  handingOver: Pick<HandingOver, 'offered' | 'leavingCount'>;
  health: Health;
  /** Aborted: no more phones are taken. */
  stopping: AbortSignal;
  openSession(opening: Opening): PhoneSession;
  giveBack(lease: Lease): Promise<void>;
};

/** Phones that are known to be free are added where the sums have fewer. */
const withFound = ({ workers, phones, free }: Balance, found: number): Balance => ({
  workers,
  phones: phones + Math.max(0, found - free),
  free: Math.max(free, found),
});

/** Takes what is free, and opens each phone by itself: none waits for another. */
export function createAdopting(ctx: Context, options: Options): Adopting {
  const { sessions, keeper, handingOver, health, stopping, giveBack } = options;
  const credentialsOf = createCredentialStores(ctx);
  const adoptions = new Set<Promise<void>>();
  const backoff = createBackoff<number>(reopenPause);
  const opening = health.task('opening', { failsAfterMs: Infinity });
  const takeovers = createTakeoverLog(ctx.logger);
  /** Phones that may be free, which no count has yet. */
  const noticed = new Set<number>();
  let isPolled = false;
  /** The last poll left free phones to others. */
  let isOverdue = false;
  /** This process holds as many as it may, and others are held by nobody. */
  let isFull = false;

  health.gauge({
    name: 'dovepost_phones_most',
    help: 'Phones that this process may hold',
    read: () => ctx.config.maxPhones,
  });
  const runner = createRunner(
    async () => {
      if (stopping.aborted) return;
      const found = await findNoticed();
      const balance = withFound(await options.balance.read(), found.length);
      const held = sessions.size + adoptions.size + handingOver.leavingCount();
      const limit = phonesToTake(balance, { held, most: ctx.config.maxPhones, isOverdue: isPolled && isOverdue });
      if (isPolled) isOverdue = balance.free > limit;
      tellOfLimit(held + limit >= ctx.config.maxPhones ? balance.free - limit : 0);
      isPolled = false;
      if (limit === 0) return;
      // Phones that this worker has just given up are left to others, unless those have gone.
      const offered = held < shareOf(balance) ? [] : handingOver.offered();
      const except = [...backoff.paused(), ...offered];
      const among = found.length >= balance.free ? found : undefined;
      let phones: ReadonlyMap<number, PhoneRow> = new Map();
      const leases = await keeper.claim(async (worker) => {
        const claimed = await claimLeases(ctx, { ...worker, limit, except, ...(among && { among }) });
        phones = await findLeasedPhones(ctx, claimed);
        return claimed;
      });
      takeovers.add(leases.filter(({ isTakenOver }) => isTakenOver).length);
      for (const lease of leases) {
        noticed.delete(lease.phoneId);
        const adoption = adopt(lease, phones.get(lease.phoneId)).finally(() => adoptions.delete(adoption));
        adoptions.add(adoption);
      }
    },
    health.task('adopting', { failsAfterMs }),
  );

  /** Which of the phones that were noticed are free; the others were taken by somebody. */
  async function findNoticed(): Promise<number[]> {
    const asked = [...noticed];
    const free = await findFree(ctx, asked);
    for (const phoneId of asked) if (!free.has(phoneId)) noticed.delete(phoneId);
    return [...free];
  }

  /** Logs a line when the limit is reached and phones are left over, and another when it is over. */
  function tellOfLimit(left: number): void {
    if (left > 0 === isFull) return;
    isFull = left > 0;
    const most = ctx.config.maxPhones;
    if (isFull)
      ctx.logger.warn({ maxPhones: most, left }, 'this process holds as many phones as it may: start another');
    else ctx.logger.info({ maxPhones: most }, 'no phone is left over any more');
  }

  async function adopt(lease: Lease, phone: PhoneRow | undefined): Promise<void> {
    try {
      if (phone && (await open(lease, phone))) return;
      await giveBack(lease);
      // Its owner may have asked for it meanwhile, when it was not free.
      request([lease.phoneId]);
    } catch (error) {
      opening.failed(error);
      ctx.logger.error({ phoneId: lease.phoneId }, 'the session of a phone could not be opened');
      leaveAlone(lease.phoneId);
      await showNotOpened(lease, error);
      await giveBack(lease);
    }
  }

  /** A phone that no session serves must not look as if it could send. */
  async function showNotOpened(lease: Lease, cause: unknown): Promise<void> {
    if (isTransient(cause) || cause instanceof StaleLeaseError) return;
    await recordReconnecting(ctx, lease, notOpened).catch((error: unknown) => {
      ctx.logger.warn({ err: error, phoneId: lease.phoneId }, 'a phone is not shown as away');
    });
  }

  /** Answers whether there is a session now. */
  async function open(lease: Lease, phone: PhoneRow): Promise<boolean> {
    const connector = ctx.connectors[phone.connector];
    const credentials = credentialsOf(lease, connector);
    await connector.load?.();
    await recoverMessages(ctx, lease, connector);
    if (phone.sign_out_requested && (await credentials.readCredentials()) === undefined) {
      await recordSignedOut(ctx, lease);
      if (phone.wanted === 'offline') return false;
    }
    // The database may have taken longer to answer than the lease lasts.
    if (stopping.aborted || !keeper.holds(lease)) return false;
    sessions.get(lease.phoneId)?.abandon();
    const openedAt = performance.now();
    const session = options.openSession({
      lease,
      phone,
      connector,
      credentials,
      onEnd: () => void end(session, openedAt),
    });
    sessions.set(lease.phoneId, session);
    session.follow(phone);
    opening.succeeded();
    return true;
  }

  async function end(session: PhoneSession, openedAt: number): Promise<void> {
    const { phoneId } = session.lease;
    if (sessions.get(phoneId) === session) sessions.delete(phoneId);
    if (performance.now() - openedAt >= lastingMs) backoff.succeeded(phoneId);
    leaveAlone(phoneId);
    await giveBack(session.lease);
  }

  /** Its owner may have asked for it again meanwhile: it is looked for once the pause is over, whatever the count says. */
  function leaveAlone(phoneId: number): void {
    setTimeout(() => request([phoneId]), backoff.failed(phoneId) + 1).unref();
  }

  function request(phoneIds: readonly number[]): void {
    for (const phoneId of phoneIds) noticed.add(phoneId);
    runner.request();
  }

  return {
    request,
    poll() {
      isPolled = true;
      runner.request();
    },
    async run() {
      await runner.run();
      await Promise.all(adoptions);
    },
    async stop() {
      await runner.stop();
      takeovers.tell();
      await Promise.all(adoptions);
    },
  };
}
