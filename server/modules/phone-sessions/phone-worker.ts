import type { Kysely } from 'kysely';
import type { Context } from '#server/context.ts';
import { StaleLeaseError } from '#server/connectors/messaging/port.ts';
import { handoverOf, recoverMessages } from '#server/modules/messages/index.ts';
import {
  claimLeases,
  createCredentialStores,
  expireLeasesOf,
  findBalance,
  findLeasedPhones,
  recordReconnecting,
  recordSignedOut,
  releaseLease,
} from '#server/modules/phone-links/index.ts';
import type { Lease } from '#server/modules/phone-links/index.ts';
import type { PhoneRow } from '#server/modules/phone-numbers/index.ts';
import { outboxChannel, phonesChannel } from '#server/modules/phone-numbers/index.ts';
import { createBackoff } from '#server/platform/backoff.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import { parseIds } from '#server/platform/db/notify.ts';
import type { Database } from '#server/database.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { createFeeding } from './feeding.ts';
import { announceFree, createHandingOver } from './handing-over.ts';
import { createLeaseKeeper } from './lease-keeper.ts';
import { createMediaFetching } from './media-fetching.ts';
import { openPhoneSession } from './phone-session.ts';
import type { PhoneSession } from './phone-session.ts';
import { createSettlementQueue } from './settlement-queue.ts';
import { settlesWithin } from './settles-within.ts';
import { phonesToTake, shareOf } from './share.ts';

/** Also how long a phone whose worker is gone waits at the most once its lease has ended. */
const pollMs = 4_000;

/** How many phones one worker holds at the most. */
const maxPhones = 1_000;

/** What is under way when the server drains gets this long to be answered; the rest is given back. */
const drainMs = 6_000;

/** Beyond it a lease that could not be given back ends with its time. */
const releaseMs = 1_500;

const failsAfterMs = 30_000;

const followEveryPolls = 8;

/** Shown to the owner of a phone. */
const notOpened = 'The link could not be opened on our side. It is tried again by itself.';

/** A phone whose session ends, or cannot be opened, over and over is left alone for longer each time. */
const reopenPause = { firstMs: 250, longestMs: 60_000 };
/** A session that lasted for this long was a good one. */
const lastingMs = 60_000;

type Options = {
  /** The name under which it holds leases. */
  owner: string;
  /** Connections that only the renewal of leases uses. */
  leaseDb: Kysely<Database>;
};

/** Holds the sessions of the phones it has leased, and feeds them the messages that wait. */
export function createPhoneWorker(ctx: Context, { owner, leaseDb }: Options): Service {
  const sessions = new Map<number, PhoneSession>();
  const adoptions = new Map<number, Promise<void>>();
  const credentialsOf = createCredentialStores(ctx);
  const stopping = new AbortController();
  const backoff = createBackoff<number>(reopenPause);
  const health = createHealth({ service: 'phones', logger: ctx.logger });
  const opening = health.task('opening', { failsAfterMs: Infinity });
  const keeper = createLeaseKeeper({ db: leaseDb }, { owner, health, onLost: dropSession });
  const feeding = createFeeding(ctx, { sessions, task: health.task('feeding', { failsAfterMs }) });
  const mediaFetching = createMediaFetching(ctx, { sessions, task: health.task('media', { failsAfterMs }) });
  const settlements = createSettlementQueue(ctx, { health, onReturned: feeding.feed });
  const balancing = health.task('balancing', { failsAfterMs });
  const handingOver = createHandingOver(ctx, { owner, sessions, giveBack, task: balancing });
  /** Phones of which something else may be wanted. */
  const changed = new Set<number>();
  let isPolled = false;
  /** The last poll left free phones to others. */
  let isOverdue = false;
  let polls = 0;
  let stopServing: () => void = () => undefined;

  /** Takes what is free, up to its share. Each phone is opened by itself: none waits for another. */
  const adopting = createRunner(
    async () => {
      if (stopping.signal.aborted) return;
      const balance = await findBalance(ctx, owner);
      const held = sessions.size + adoptions.size + handingOver.leavingCount();
      const limit = phonesToTake(balance, { held, most: maxPhones, isOverdue: isPolled && isOverdue });
      if (isPolled) isOverdue = balance.free > limit;
      isPolled = false;
      if (limit === 0) return;
      const claimedAt = performance.now();
      // What it has just given up is for others, unless they have gone.
      const offered = held < shareOf(balance) ? [] : handingOver.offered();
      const except = [...backoff.paused(), ...offered];
      const leases = await claimLeases(ctx, { owner, limit, except });
      const phones = await findLeasedPhones(ctx, leases);
      for (const lease of leases) {
        keeper.add(lease, claimedAt);
        const adoption = adopt(lease, phones.get(lease.phoneId)).finally(() => adoptions.delete(lease.phoneId));
        adoptions.set(lease.phoneId, adoption);
      }
    },
    health.task('adopting', { failsAfterMs }),
  );

  const following = createRunner(
    async () => {
      const leases = [...changed].flatMap((phoneId) => sessions.get(phoneId)?.lease ?? []);
      changed.clear();
      const phones = await findLeasedPhones(ctx, leases);
      for (const [phoneId, phone] of phones) sessions.get(phoneId)?.follow(phone);
    },
    health.task('following', { failsAfterMs }),
  );

  async function adopt(lease: Lease, phone: PhoneRow | undefined): Promise<void> {
    try {
      if (phone && (await open(lease, phone))) return;
      await giveBack(lease);
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
    const credentials = credentialsOf(lease, connector.engine);
    await recoverMessages(ctx, lease, connector);
    if (phone.sign_out_requested && (await credentials.readCredentials()) === undefined) {
      await recordSignedOut(ctx, lease);
      if (phone.wanted === 'offline') return false;
    }
    if (stopping.signal.aborted) return false;
    await sessions.get(lease.phoneId)?.close();
    const openedAt = performance.now();
    const session = openPhoneSession(ctx, {
      lease,
      phone,
      connector,
      credentials,
      settle: settlements.add,
      park: (kind, error) => health.park(kind, error, { accountId: lease.accountId, phoneId: lease.phoneId }),
      onReady: () => {
        feeding.feed(lease.phoneId);
        mediaFetching.request();
      },
      onMedia: mediaFetching.request,
      onUncertain: () => feeding.recount(lease.phoneId),
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

  /** Its owner may have asked for it again meanwhile: it is looked for once the pause is over. */
  function leaveAlone(phoneId: number): void {
    setTimeout(adopting.request, backoff.failed(phoneId) + 1).unref();
  }

  async function giveBack(lease: Lease): Promise<void> {
    keeper.remove(lease);
    await releaseLease(ctx, lease).catch((error: unknown) => {
      ctx.logger.warn({ err: error }, 'a lease is left to expire');
    });
  }

  /** The lease is lost: the socket goes, and another worker has the phone, or this one claims it anew. */
  function dropSession(lease: Lease): void {
    const session = sessions.get(lease.phoneId) ?? handingOver.leaving(lease.phoneId);
    if (session?.lease.token !== lease.token) return;
    sessions.delete(lease.phoneId);
    session.close().catch((error: unknown) => ctx.logger.warn({ err: error }, 'a session did not close'));
    adopting.request();
  }

  const polling = createPolling(ctx.listener, {
    channels: {
      [outboxChannel](payload) {
        for (const id of parseIds(payload)) feeding.feed(id);
      },
      [phonesChannel](payload) {
        const ids = parseIds(payload);
        const held = ids.filter((id) => sessions.has(id));
        for (const id of held) changed.add(id);
        if (held.length > 0) following.request();
        if (ids.some((id) => !sessions.has(id))) adopting.request();
      },
    },
    pollMs,
    /** Also for time that passes: leases that end, caps, subscriptions, restrictions. */
    poll() {
      isPolled = true;
      adopting.request();
      handingOver.request();
      feeding.poll();
      mediaFetching.request();
      // Poll, in case the notification of a changed desired state was missed.
      if (polls++ % followEveryPolls !== 0) return;
      for (const phoneId of sessions.keys()) changed.add(phoneId);
      following.request();
    },
  });

  return {
    name: 'phones',
    health: health.report,
    async start() {
      await expireLeasesOf(ctx, owner);
      await keeper.start();
      stopServing = handoverOf(ctx).serve((phoneId) => sessions.get(phoneId)?.reserve());
      polling.start();
      await adopting.run();
      await Promise.all(adoptions.values());
    },
    async stop() {
      const timeout = AbortSignal.timeout(drainMs);
      stopping.abort();
      stopServing();
      polling.stop();
      await settlesWithin(releaseMs, keeper.retire());
      const runners = Promise.all([adopting, following, feeding, handingOver].map(({ stop }) => stop()));
      await until(
        timeout,
        runners.then(() => Promise.all(adoptions.values())),
      );
      await until(timeout, Promise.all([...sessions.values()].map((session) => session.drain())));
      const held = [...sessions.values()];
      sessions.clear();
      await settlesWithin(releaseMs, Promise.all(held.map((session) => session.close())));
      await settlesWithin(releaseMs, mediaFetching.stop());
      await settlements.drain(timeout.aborted ? AbortSignal.timeout(releaseMs) : timeout);
      await keeper.stop();
      await settlesWithin(releaseMs, Promise.all(held.map(({ lease }) => giveBack(lease))));
      const freed = held.map(({ lease }) => lease.phoneId);
      if (freed.length > 0) await settlesWithin(releaseMs, announceFree(ctx, freed));
    },
  };
}

/** Waits for `work`, which may fail, until the signal says that it took too long. */
async function until(timeout: AbortSignal, work: Promise<unknown>): Promise<void> {
  if (timeout.aborted) return;
  const isOver = new Promise((resolve) => timeout.addEventListener('abort', resolve, { once: true }));
  await Promise.race([work.catch(() => undefined), isOver]);
}
