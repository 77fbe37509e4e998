import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { claimMessages, recoverMessages, settleMessages } from '#server/modules/messages/index.ts';
import type { MessageNews } from '#server/modules/messages/index.ts';
import {
  claimLeases,
  createCredentialStores,
  expireLeasesOf,
  findLeasedPhones,
  leaseDurationMs,
  recordSignedOut,
  releaseLease,
  renewLeases,
} from '#server/modules/phone-numbers/index.ts';
import type { Lease, PhoneRow } from '#server/modules/phone-numbers/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import { channels, parsePhoneIds } from '#server/platform/db/channels.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { openPhoneSession } from './phone-session.ts';
import type { PhoneSession } from './phone-session.ts';
import { untilDone } from './until-done.ts';

const renewIntervalMs = leaseDurationMs / 3;

/** How many phones one worker holds at the most. */
const maxPhones = 1_000;

/** A claim of this many messages says that more are coming. */
const busyClaim = 16;
const busyPauseMs = 10;

/** What is under way when the server drains gets this long to be answered; the rest is handed back. */
const drainMs = 6_000;

const failsAfterMs = 30_000;

/** Holds the sessions of the phones it has leased, and feeds them the messages that wait. */
export function createPhoneWorker(ctx: Context, options: { owner: string }): Service {
  const sessions = new Map<number, PhoneSession>();
  const credentialsOf = createCredentialStores(ctx);
  const stopping = new AbortController();
  const health = createHealth({ service: 'phones', logger: ctx.logger });

  const settlements = createBatcher<MessageNews, void>(
    async (batch) => {
      const write = { signal: new AbortController().signal, logger: ctx.logger, isFinal: () => false };
      await untilDone(() => settleMessages(ctx, batch), write);
      // A message that went back to waiting is claimed again.
      if (batch.some(({ news }) => news.kind === 'outcome' && news.outcome.kind === 'unknown')) feeding.request();
      return batch.map(() => undefined);
    },
    { maxItems: 500 },
  );

  /** One statement claims for all phones that have room. */
  const feeding = createRunner(
    async () => {
      if (stopping.signal.aborted) return;
      const claims = [...sessions.values()].flatMap(({ lease, connector, freeSlots }) => {
        const networkIds = Array.from({ length: Math.min(freeSlots(), 100) }, () => connector.createNetworkId());
        return networkIds.length === 0 ? [] : [{ lease, networkIds }];
      });
      const messages = await claimMessages(ctx, claims);
      const taken = Map.groupBy(messages, ({ phoneId }) => phoneId);
      const full = new Set(
        claims.flatMap(({ lease: { phoneId }, networkIds }) =>
          taken.get(phoneId)?.length === networkIds.length ? [phoneId] : [],
        ),
      );
      for (const message of messages) {
        const sent = sessions.get(message.phoneId)?.send(message);
        // A phone that got all it had room for may have more waiting.
        if (full.has(message.phoneId)) void sent?.finally(feeding.request);
      }
      // Under load a pause lets more messages share the next claim, and all that follows it.
      if (messages.length >= busyClaim) await delay(busyPauseMs);
    },
    health.task('feeding', { failsAfterMs }),
  );

  /** Keeps what it holds, takes what is free, lets go of what it lost. */
  const leasing = createRunner(
    async () => {
      const held = [...sessions.values()].map(({ lease }) => lease);
      const kept = await renewLeases(ctx, held);
      for (const { phoneId } of held) {
        if (!kept.has(phoneId)) await dropSession(phoneId);
      }
      if (stopping.signal.aborted) return;
      const leases = await claimLeases(ctx, { owner: options.owner, limit: maxPhones - sessions.size });
      const phones = await findLeasedPhones(ctx, leases);
      await Promise.all(leases.map((lease) => takePhone(lease, phones.get(lease.phoneId))));
    },
    health.task('leasing', { failsAfterMs }),
  );

  const following = createRunner(
    async () => {
      const phones = await findLeasedPhones(
        ctx,
        [...sessions.values()].map(({ lease }) => lease),
      );
      for (const [phoneId, phone] of phones) sessions.get(phoneId)?.follow(phone);
    },
    health.task('following', { failsAfterMs }),
  );

  async function takePhone(lease: Lease, phone: PhoneRow | undefined): Promise<void> {
    if (!phone || sessions.has(lease.phoneId)) return;
    const connector = ctx.connectors[phone.connector];
    const credentials = credentialsOf(lease, connector.engine);
    await recoverMessages(ctx, lease, connector);
    if (phone.sign_out_requested && (await credentials.readCredentials()) === undefined) {
      await recordSignedOut(ctx, lease);
      if (phone.wanted === 'offline') return releaseLease(ctx, lease);
    }
    const session = openPhoneSession(ctx, {
      lease,
      phone,
      connector,
      credentials,
      settle: (news) => settlements.add(news),
      onReady: feeding.request,
      onEnd: () => void giveUp(session),
    });
    sessions.set(lease.phoneId, session);
    session.follow(phone);
  }

  async function giveUp(session: PhoneSession): Promise<void> {
    if (sessions.get(session.lease.phoneId) === session) sessions.delete(session.lease.phoneId);
    await releaseLease(ctx, session.lease).catch((error: unknown) => {
      ctx.logger.warn({ err: error }, 'a lease is left to expire');
    });
    // Its owner may have asked for it again meanwhile.
    leasing.request();
  }

  async function dropSession(phoneId: number): Promise<void> {
    const session = sessions.get(phoneId);
    sessions.delete(phoneId);
    await session?.close();
  }

  /** Also what makes up for a lost notification, and for time that passes: caps, subscriptions, restrictions. */
  function poll(): void {
    leasing.request();
    following.request();
    feeding.request();
  }

  const polling = createPolling(ctx.listener, {
    channels: {
      [channels.outbox](payload) {
        if (parsePhoneIds(payload).some((id) => sessions.has(id))) feeding.request();
      },
      [channels.phones](payload) {
        const ids = parsePhoneIds(payload);
        if (ids.some((id) => sessions.has(id))) following.request();
        if (ids.some((id) => !sessions.has(id))) leasing.request();
      },
    },
    pollMs: renewIntervalMs,
    poll,
  });

  return {
    name: 'phones',
    health: health.report,
    async start() {
      await expireLeasesOf(ctx, options.owner);
      polling.start();
      await leasing.run();
    },
    async stop() {
      stopping.abort();
      polling.stop();
      await Promise.all([leasing, following, feeding].map(({ stop }) => stop()));
      const timeout = AbortSignal.timeout(drainMs);
      const gaveUp = new Promise((resolve) => timeout.addEventListener('abort', resolve, { once: true }));
      await Promise.race([Promise.all([...sessions.values()].map((session) => session.drain())), gaveUp]);
      const held = [...sessions.values()];
      sessions.clear();
      await Promise.all(held.map((session) => session.close()));
      await settlements.idle();
      await Promise.all(held.map(({ lease }) => releaseLease(ctx, lease)));
    },
  };
}
