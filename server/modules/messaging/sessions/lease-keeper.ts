import type { Context } from '#server/context.ts';
import {
  beginWorker,
  leaseDurationMs,
  listLeases,
  releaseLease,
  renewLeases,
  renewWorker,
  retireWorker,
} from '#server/modules/numbers/links/index.ts';
import type { ClaimedLease, Lease } from '#server/modules/numbers/links/index.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Health } from '#server/platform/service.ts';

/**
 * Keeps this worker's lease, and with it the phones that it holds, on a connection of its own: nothing else that the
 * worker does, or waits for, holds a renewal up. The lease counts from the moment its renewal was asked for, by this
 * process's own clock: a worker that was stopped, or is cut off from the database, gives its phones up before another
 * takes them, and begins anew, under a higher epoch.
 */
export type LeaseKeeper = {
  /** Once it resolves, the others count this worker among those that share the phones. */
  start(): Promise<void>;
  /** Takes phones within this worker's lease. */
  claim(take: (epoch: number) => Promise<ClaimedLease[]>): Promise<ClaimedLease[]>;
  remove(lease: Lease): void;
  /** Whether this worker may act for the phone. */
  holds(lease: Lease): boolean;
  count(): number;
  /** This worker takes no more phones. Phones that it has are kept until they are removed. */
  retire(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  owner: string;
  /** How many phones this process may hold. */
  most: number;
  health: Health;
  onLost(lease: Lease): void;
  /** Given up while the database did not answer, it was prolonged all the same: nobody holds it. */
  onRenewedLate(lease: Lease): void;
};

const renewIntervalMs = leaseDurationMs / 5;
const checkIntervalMs = 500;
/** So much before another may take them, phones are given up: timers fire late on a busy machine. */
const marginMs = 1_500;
const heldForMs = leaseDurationMs - marginMs;
/** The time beside each phone, for the release before: as short as that has it while one of its processes is there. */
const assignedForMs = 15 * 60_000;
const prolongedBelowMs = 5 * 60_000;

type Held = { lease: Lease; until: number };

export function createLeaseKeeper(ctx: Pick<Context, 'db'>, options: Options): LeaseKeeper {
  const { owner, most, health, onLost, onRenewedLate } = options;
  const held = new Map<number, Held>();
  const timers: NodeJS.Timeout[] = [];
  /** This worker's lease; undefined: it has none, and holds nothing. */
  let own: { epoch: number; until: number } | undefined;
  /** Of this worker by the database alone, at the last look. */
  let strays = new Set<number>();
  let claims = 0;
  let renewedAt = performance.now();
  let isRetired = false;

  const isHeld = (lease: Lease) => held.get(lease.phoneId)?.lease.token === lease.token;

  function lose(lease: Lease): void {
    held.delete(lease.phoneId);
    onLost(lease);
  }

  function giveUpEnded(): void {
    const now = performance.now();
    if (own && now >= own.until) own = undefined;
    for (const { lease, until } of held.values()) if (!own || now >= until) lose(lease);
  }

  async function begin(): Promise<void> {
    const askedAt = performance.now();
    const epoch = await beginWorker(ctx, owner, { held: held.size, most });
    own = { epoch, until: askedAt + heldForMs };
    renewedAt = askedAt;
  }

  const renewing = createRunner(
    async () => {
      // Whatever ran out while the process was stopped is given up first: renewed, it would be nobody's for as long again.
      giveUpEnded();
      const worker = own;
      if (!worker) {
        if (!isRetired) await begin();
        return;
      }
      const { epoch } = worker;
      const before = [...held.values()].map(({ lease }) => lease);
      const askedAt = performance.now();
      const beat = await renewWorker(ctx, { owner, epoch, held: held.size, most, isRetired });
      const tokens = before.reduce((sum, { token }) => sum + token, 0);
      if (beat.phones !== before.length || beat.tokens !== tokens) await compare(epoch, before);
      else strays = new Set();
      if (!beat.stands) own = undefined;
      // Another may have taken phones where the answer came after the lease had ended.
      giveUpEnded();
      if (own !== worker) return renewing.request();
      worker.until = askedAt + heldForMs;
      renewedAt = askedAt;
      await prolong(beat.hasOlder);
    },
    health.task('renewing', { failsAfterMs: leaseDurationMs }),
  );

  /** Loses what the database no longer has, and gives back what it has alone: of a claim whose answer was lost. */
  async function compare(epoch: number, before: readonly Lease[]): Promise<void> {
    const isClaiming = claims > 0;
    const listed = await listLeases(ctx, { owner, epoch });
    const standing = new Set(listed.map(({ token }) => token));
    for (const lease of before) if (isHeld(lease) && !standing.has(lease.token)) lose(lease);
    const alone = listed.filter((lease) => !isClaiming && claims === 0 && !isHeld(lease));
    await Promise.all(alone.filter(({ token }) => strays.has(token)).map((lease) => releaseLease(ctx, lease)));
    strays = new Set(alone.map(({ token }) => token));
  }

  /** Moves on the times beside the phones that are due. */
  async function prolong(hasOlder: boolean): Promise<void> {
    const askedAt = performance.now();
    const [durationMs, belowMs] = hasOlder ? [leaseDurationMs, Infinity] : [assignedForMs, prolongedBelowMs];
    const due = [...held.values()].filter(({ until }) => until - askedAt < belowMs).map(({ lease }) => lease);
    const { renewed, standing } = await renewLeases(ctx, due, durationMs);
    for (const lease of due) {
      if (renewed.has(lease.phoneId)) {
        if (isHeld(lease)) held.set(lease.phoneId, { lease, until: askedAt + durationMs - marginMs });
        else onRenewedLate(lease);
      }
      // A lease whose row is locked for the moment is neither prolonged nor lost.
      else if (isHeld(lease) && !standing.has(lease.phoneId)) lose(lease);
    }
  }

  health.gauge({
    name: 'dovepost_lease_age_seconds',
    help: 'Since the lease of this process, by which it holds phones, was renewed',
    read: () => (held.size === 0 ? 0 : Math.max(0, performance.now() - renewedAt) / 1000),
  });
  health.gauge({ name: 'dovepost_phones_held', help: 'Phones whose lease this process holds', read: () => held.size });

  return {
    async start() {
      timers.push(setInterval(renewing.request, renewIntervalMs), setInterval(giveUpEnded, checkIntervalMs));
      await begin();
    },
    async claim(take) {
      if (!own) return [];
      claims += 1;
      const until = performance.now() + heldForMs;
      try {
        const leases = await take(own.epoch);
        for (const { accountId, phoneId, token } of leases)
          held.set(phoneId, { lease: { accountId, phoneId, token }, until });
        return leases;
      } finally {
        claims -= 1;
      }
    },
    remove(lease) {
      if (isHeld(lease)) held.delete(lease.phoneId);
    },
    count: () => held.size,
    holds(lease) {
      const now = performance.now();
      return (
        own !== undefined &&
        now < own.until &&
        lease.token > own.epoch &&
        isHeld(lease) &&
        now < (held.get(lease.phoneId)?.until ?? 0)
      );
    },
    async retire() {
      isRetired = true;
      await retireWorker(ctx, owner);
    },
    async stop() {
      for (const timer of timers.splice(0)) clearInterval(timer);
      await renewing.stop();
    },
  };
}
