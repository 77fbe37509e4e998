import { randomUUID } from 'node:crypto';
import type { Context } from '#server/context.ts';
import {
  beginWorker,
  forgetWorker,
  leaseDurationMs,
  listLeases,
  releaseLease,
  renewLeases,
  renewWorker,
} from '#server/modules/numbers/links/index.ts';
import type { ClaimedLease, Lease } from '#server/modules/numbers/links/index.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Health } from '#server/platform/service.ts';

/**
 * Keeps this worker's lease, and with it the phones that it holds, on connections of its own: nothing else that the
 * worker does, or waits for, holds a renewal up. The lease counts from the moment its renewal was asked for, by this
 * process's own clock: a worker that was stopped, or is cut off from the database, gives its phones up before another
 * takes them, and begins anew, under a higher epoch.
 */
export type LeaseKeeper = {
  /** Once it resolves, the others count this worker among those that share the phones. */
  start(): Promise<void>;
  /** The name under which this worker holds phones now. */
  owner(): string;
  /** Takes phones within this worker's lease. */
  claim(take: (worker: { owner: string; epoch: number }) => Promise<ClaimedLease[]>): Promise<ClaimedLease[]>;
  remove(lease: Lease): void;
  /** Whether this worker may act for the phone. */
  holds(lease: Lease): boolean;
  count(): number;
  /** This worker takes no more phones. Phones that it has are kept until they are removed. */
  retire(): Promise<void>;
  stop(): Promise<void>;
  /** After `stop`, once all phones are given back: nobody waits for this worker's lease to end. */
  forget(): Promise<void>;
};

type Options = {
  owner: string;
  /** Aborted once another process has the right to this name: it frees what is held under it. */
  ownerTaken?: AbortSignal;
  /** How many phones this process may hold. */
  most: number;
  health: Health;
  onLost(lease: Lease): void;
};

const renewIntervalMs = leaseDurationMs / 5;
const checkIntervalMs = 500;
/** So much before another may take them, phones are given up: timers fire late on a busy machine. */
const marginMs = 1_500;
const heldForMs = leaseDurationMs - marginMs;
/** A renewal that failed is repeated while the lease still stands, and soon after the database is back. */
const longestPauseMs = 1_000;
/** The time beside each phone, which is all that the release before goes by; moved on when so little is left. */
const assignedForMs = 15 * 60_000;
const prolongedBelowMs = 5 * 60_000;
const prolongingFailsAfterMs = 60_000;

type Held = { lease: Lease; until: number };

/** Of one claim, several phones may have the same token. */
const keyOf = ({ phoneId, token }: Lease): string => `${phoneId}:${token}`;

export function createLeaseKeeper(ctx: Pick<Context, 'db'>, options: Options): LeaseKeeper {
  const { ownerTaken, most, health, onLost } = options;
  let { owner } = options;
  const held = new Map<number, Held>();
  const timers: NodeJS.Timeout[] = [];
  /** This worker's lease; undefined: it has none, and holds nothing. */
  let own: { epoch: number; until: number } | undefined;
  let lastEpoch: number | undefined;
  /** Of this worker by the database alone, at the last look. */
  let strays = new Set<string>();
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

  /** Another process lives under this name, and has freed all that was held under it. */
  function giveNameUp(): void {
    own = undefined;
    giveUpEnded();
    owner = randomUUID();
    lastEpoch = undefined;
    renewing.request();
  }

  async function begin(): Promise<void> {
    const askedAt = performance.now();
    const epoch = await beginWorker(ctx, { owner, most, after: lastEpoch });
    if (epoch === undefined) return giveNameUp();
    lastEpoch = epoch;
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
      if (!beat.stands && own === worker) own = undefined;
      // Another may have taken phones where the answer came after the lease had ended.
      giveUpEnded();
      if (own !== worker) return renewing.request();
      const tokens = before.reduce((sum, { token }) => sum + token, 0);
      if (beat.phones !== before.length || beat.tokens !== tokens) await compare({ owner, epoch }, before);
      else strays = new Set();
      giveUpEnded();
      if (own !== worker) return renewing.request();
      worker.until = askedAt + heldForMs;
      renewedAt = askedAt;
      if (findDue().length > 0) prolonging.request();
    },
    health.task('renewing', { failsAfterMs: leaseDurationMs }),
    { longestPauseMs },
  );

  /** Loses what the database no longer has, and gives back what it has alone: of a claim whose answer was lost. */
  async function compare(worker: { owner: string; epoch: number }, before: readonly Lease[]): Promise<void> {
    const isClaiming = claims > 0;
    const listed = await listLeases(ctx, worker);
    const standing = new Set(listed.map(keyOf));
    for (const lease of before) if (isHeld(lease) && !standing.has(keyOf(lease))) lose(lease);
    const alone = listed.filter((lease) => !isClaiming && claims === 0 && !isHeld(lease));
    await Promise.all(alone.filter((lease) => strays.has(keyOf(lease))).map((lease) => releaseLease(ctx, lease)));
    strays = new Set(alone.map(keyOf));
  }

  const findDue = () => [...held.values()].filter(({ until }) => until - performance.now() < prolongedBelowMs);

  const prolonging = createRunner(
    async () => {
      const askedAt = performance.now();
      const due = findDue().map(({ lease }) => lease);
      const { renewed, standing } = await renewLeases(ctx, due, assignedForMs);
      for (const lease of due) {
        if (!isHeld(lease)) continue;
        if (renewed.has(lease.phoneId)) held.set(lease.phoneId, { lease, until: askedAt + assignedForMs - marginMs });
        // A lease whose row is locked for the moment is neither prolonged nor lost.
        else if (!standing.has(lease.phoneId)) lose(lease);
      }
    },
    health.task('prolonging', { failsAfterMs: prolongingFailsAfterMs }),
    { longestPauseMs },
  );

  health.gauge({
    name: 'dovepost_lease_age_seconds',
    help: 'Since the lease of this process, by which it holds phones, was renewed',
    read: () => (held.size === 0 ? 0 : Math.max(0, performance.now() - renewedAt) / 1000),
  });
  health.gauge({ name: 'dovepost_phones_held', help: 'Phones whose lease this process holds', read: () => held.size });

  return {
    async start() {
      await begin();
      timers.push(setInterval(renewing.request, renewIntervalMs), setInterval(giveUpEnded, checkIntervalMs));
      ownerTaken?.addEventListener('abort', giveNameUp, { once: true });
    },
    owner: () => owner,
    async claim(take) {
      const worker = own;
      if (!worker) return [];
      claims += 1;
      const until = performance.now() + heldForMs;
      try {
        const leases = await take({ owner, epoch: worker.epoch });
        // Taken under a lease or a name that this worker no longer has: whoever has it now finds them, or its end frees them.
        if (own !== worker) return [];
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
      const { until = 0 } = held.get(lease.phoneId) ?? {};
      return own !== undefined && now < own.until && lease.token > own.epoch && isHeld(lease) && now < until;
    },
    retire() {
      isRetired = true;
      return renewing.run();
    },
    async stop() {
      for (const timer of timers.splice(0)) clearInterval(timer);
      await Promise.all([renewing.stop(), prolonging.stop()]);
    },
    async forget() {
      if (lastEpoch !== undefined) await forgetWorker(ctx, { owner, epoch: lastEpoch });
    },
  };
}
