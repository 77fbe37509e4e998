import type { Context } from '#server/context.ts';
import { forgetWorker, leaseDurationMs, recordWorker, renewLeases } from '#server/modules/numbers/links/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Health } from '#server/platform/service.ts';

/**
 * Keeps the leases that this worker holds, on a connection of its own: nothing else that the worker does, or waits
 * for, holds a renewal up. A lease counts from the moment its renewal was asked for, by this process's own clock: a
 * worker that was stopped, or is cut off from the database, gives its phones up before another takes them.
 */
export type LeaseKeeper = {
  /** Once it resolves, the others count this worker among those that share the phones. */
  start(): Promise<void>;
  /** `claimedAt`: when the claim was asked for, by `performance.now()`. */
  add(lease: Lease, claimedAt: number): void;
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
  /** Given up while the database did not answer, it was renewed all the same: nobody holds it. */
  onRenewedLate(lease: Lease): void;
};

const renewIntervalMs = leaseDurationMs / 5;
const checkIntervalMs = 500;
/** So much before another may take it, a lease that could not be renewed is given up: timers fire late on a busy machine. */
const marginMs = 1_500;
const heldForMs = leaseDurationMs - marginMs;

const isLapsed = (renewedAt: number) => performance.now() - renewedAt >= heldForMs;

export function createLeaseKeeper(ctx: Pick<Context, 'db'>, options: Options): LeaseKeeper {
  const { owner, most, health, onLost, onRenewedLate } = options;
  const held = new Map<number, { lease: Lease; renewedAt: number }>();
  const timers: NodeJS.Timeout[] = [];
  let isRetired = false;

  function lose(lease: Lease): void {
    held.delete(lease.phoneId);
    onLost(lease);
  }

  const isHeld = (lease: Lease) => held.get(lease.phoneId)?.lease.token === lease.token;

  const renewing = createRunner(
    async () => {
      // Whatever ran out while the process was stopped is given up first: renewed, it would be nobody's for as long again.
      giveUpLapsed();
      const leases = [...held.values()].map(({ lease }) => lease);
      const askedAt = performance.now();
      const { renewed, standing } = await renewLeases(ctx, leases);
      for (const lease of leases) {
        if (renewed.has(lease.phoneId)) {
          if (isHeld(lease)) held.set(lease.phoneId, { lease, renewedAt: askedAt });
          else onRenewedLate(lease);
        }
        // A lease whose row is locked for the moment is neither renewed nor lost.
        else if (isHeld(lease) && !standing.has(lease.phoneId)) lose(lease);
      }
      if (!isRetired) await recordWorker(ctx, owner, { held: held.size, most });
    },
    health.task('renewing', { failsAfterMs: leaseDurationMs }),
  );

  function giveUpLapsed(): void {
    for (const { lease, renewedAt } of held.values()) if (isLapsed(renewedAt)) lose(lease);
  }

  health.gauge({
    name: 'dovepost_lease_age_seconds',
    help: 'Since the oldest lease of a phone was renewed',
    read: () => Math.max(0, ...[...held.values()].map(({ renewedAt }) => performance.now() - renewedAt)) / 1000,
  });
  health.gauge({ name: 'dovepost_phones_held', help: 'Phones whose lease this process holds', read: () => held.size });

  return {
    async start() {
      timers.push(setInterval(renewing.request, renewIntervalMs), setInterval(giveUpLapsed, checkIntervalMs));
      await recordWorker(ctx, owner, { held: held.size, most });
    },
    add(lease, claimedAt) {
      held.set(lease.phoneId, { lease, renewedAt: claimedAt });
    },
    remove(lease) {
      if (isHeld(lease)) held.delete(lease.phoneId);
    },
    count: () => held.size,
    holds: (lease) => isHeld(lease) && !isLapsed(held.get(lease.phoneId)?.renewedAt ?? 0),
    async retire() {
      isRetired = true;
      await forgetWorker(ctx, owner);
    },
    async stop() {
      for (const timer of timers.splice(0)) clearInterval(timer);
      await renewing.stop();
    },
  };
}
