import type { Kysely } from 'kysely';
import type { Context } from '#server/context.ts';
import { attendedChannel, parseAttended, readReceiptsChannel } from '#server/modules/messaging/conversations/index.ts';
import { handoverOf } from '#server/modules/messaging/messages/index.ts';
import { expireLeasesOf, findLeasedPhones, releaseLease } from '#server/modules/numbers/links/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { mediaFetchesChannel } from '#server/modules/messaging/messages/index.ts';
import { phoneQuestionsChannel } from '#server/modules/numbers/asking/index.ts';
import { outboxChannel, phonesChannel } from '#server/modules/numbers/phones/index.ts';
import { parseIds } from '#server/platform/db/notify.ts';
import type { Database } from '#server/database.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { createAdopting } from './adopting.ts';
import type { Opening } from './adopting.ts';
import { createBalanceReader } from './balance.ts';
import { createAnswering } from './answering.ts';
import { createFeeding } from './feeding.ts';
import { announceFree, createHandingOver } from './handing-over.ts';
import { createLeaseKeeper } from './lease-keeper.ts';
import { createMediaFetching } from './media-fetching.ts';
import { createReading } from './reading.ts';
import { openPhoneSession } from './phone-session.ts';
import type { PhoneSession } from './phone-session.ts';
import { createSettlementQueue } from './settlement-queue.ts';
import { settlesWithin } from './settles-within.ts';

/** Also how long a phone whose worker is gone waits at the most once its lease has ended. */
const pollMs = 4_000;

/** The time that sends under way get when the server drains; the rest is given back. */
const drainMs = 6_000;

/** Beyond it a lease that could not be given back ends with its time. */
const releaseMs = 1_500;

const failsAfterMs = 30_000;

const followEveryPolls = 8;

type Options = {
  /** The name under which it holds leases. */
  owner: string;
  /** Aborted once another process has the right to this name. */
  ownerTaken: AbortSignal;
  /** Connections that only the renewal of leases uses. */
  leaseDb: Kysely<Database>;
};

/** Holds the sessions of the phones it has leased, and feeds them the messages that wait. */
export function createPhoneWorker(ctx: Context, { owner, ownerTaken, leaseDb }: Options): Service {
  const sessions = new Map<number, PhoneSession>();
  const stopping = new AbortController();
  const health = createHealth({ service: 'phones', logger: ctx.logger });
  const keeper = createLeaseKeeper(
    { db: leaseDb },
    { owner, ownerTaken, most: ctx.config.maxPhones, health, onLost: dropSession },
  );
  const feeding = createFeeding(ctx, { sessions, task: health.task('feeding', { failsAfterMs }) });
  const mediaFetching = createMediaFetching(ctx, { sessions, task: health.task('media', { failsAfterMs }) });
  const reading = createReading(ctx, { sessions, task: health.task('reading', { failsAfterMs }) });
  const answering = createAnswering(ctx, { sessions, task: health.task('answering', { failsAfterMs }) });
  const settlements = createSettlementQueue(ctx, { health });
  const balancing = health.task('balancing', { failsAfterMs });
  const balance = createBalanceReader(ctx, { owner: keeper.owner, countHeld: keeper.count });
  const handingOver = createHandingOver(ctx, { balance, sessions, giveBack, task: balancing });
  const adopting = createAdopting(ctx, {
    balance,
    sessions,
    keeper,
    handingOver,
    health,
    stopping: stopping.signal,
    openSession,
    giveBack,
  });
  /** Phones of which something else may be wanted. */
  const changed = new Set<number>();
  let polls = 0;
  let stopServing: () => void = () => undefined;
  let stopHearing: () => void = () => undefined;

  const following = createRunner(
    async () => {
      const leases = [...changed].flatMap((phoneId) => sessions.get(phoneId)?.lease ?? []);
      changed.clear();
      const phones = await findLeasedPhones(ctx, leases);
      for (const [phoneId, phone] of phones) sessions.get(phoneId)?.follow(phone);
    },
    health.task('following', { failsAfterMs }),
  );

  function openSession(opening: Opening): PhoneSession {
    const { accountId, phoneId } = opening.lease;
    return openPhoneSession(ctx, {
      ...opening,
      settle: settlements.add,
      mayAct: () => keeper.holds(opening.lease),
      park: (kind, error) => health.park(kind, error, { accountId, phoneId }),
      onReady: () => {
        feeding.feed(phoneId);
        mediaFetching.request();
        reading.request();
      },
      onMedia: mediaFetching.request,
      onUncertain: () => feeding.recount(phoneId),
    });
  }

  async function giveBack(lease: Lease): Promise<void> {
    keeper.remove(lease);
    await releaseLease(ctx, lease).catch((error: unknown) => {
      ctx.logger.warn({ err: error }, 'a lease is left to expire');
    });
  }

  /** The lease is lost: the phone leaves the network, and another worker has the phone, or this one claims it anew. */
  function dropSession(lease: Lease): void {
    const session = sessions.get(lease.phoneId) ?? handingOver.leaving(lease.phoneId);
    if (session?.lease.token !== lease.token) return;
    sessions.delete(lease.phoneId);
    session.abandon();
    // Another may have it and give it back without a word; a count from before it was added would not miss it.
    balance.changed();
    adopting.request([lease.phoneId]);
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
        const others = ids.filter((id) => !sessions.has(id));
        if (others.length > 0) adopting.request(others);
      },
      [mediaFetchesChannel](payload) {
        if (sessions.has(Number(payload))) mediaFetching.request();
      },
      [readReceiptsChannel](payload) {
        if (parseIds(payload).some((id) => sessions.has(id))) reading.request();
      },
      [phoneQuestionsChannel](payload) {
        if (parseIds(payload).some((id) => sessions.has(id))) answering.request();
      },
      [attendedChannel](payload) {
        const { phoneId, peer, isTyping } = parseAttended(payload);
        sessions.get(phoneId)?.attend(peer, isTyping);
      },
    },
    pollMs,
    /** Also for time that passes: leases that end, caps, subscriptions, restrictions. */
    poll() {
      adopting.poll();
      handingOver.request();
      feeding.poll();
      mediaFetching.request();
      reading.request();
      answering.request();
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
      stopServing = handoverOf(ctx).serve((phoneId) =>
        feeding.isCertain(phoneId) ? sessions.get(phoneId)?.reserve() : undefined,
      );
      stopHearing = ctx.listener.onGap(balance.changed);
      polling.start();
      await adopting.run();
    },
    async stop() {
      const timeout = AbortSignal.timeout(drainMs);
      stopping.abort();
      stopServing();
      polling.stop();
      stopHearing();
      await settlesWithin(releaseMs, keeper.retire());
      await until(timeout, Promise.all([adopting, following, feeding, handingOver].map(({ stop }) => stop())));
      await until(timeout, Promise.all([...sessions.values()].map((session) => session.drain())));
      const held = [...sessions.values()];
      sessions.clear();
      await settlesWithin(releaseMs, Promise.all(held.map((session) => session.close())));
      for (const session of held) session.abandon();
      await settlesWithin(releaseMs, Promise.all([mediaFetching.stop(), reading.stop(), answering.stop()]));
      await settlements.drain(timeout.aborted ? AbortSignal.timeout(releaseMs) : timeout);
      await keeper.stop();
      await settlesWithin(releaseMs, Promise.all(held.map(({ lease }) => giveBack(lease))));
      await settlesWithin(releaseMs, keeper.forget());
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
