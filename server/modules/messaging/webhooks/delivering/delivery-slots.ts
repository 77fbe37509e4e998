/** `queueId` is the endpoint's id; of a project's first endpoint the project's, negative. */
export type EndpointRef = { accountId: number; queueId: number };

/** How many deliveries to an endpoint may be claimed. */
export type Grant = EndpointRef & { slots: number };

/**
 * Bounds what is under way, so that an endpoint which hangs holds back nobody but itself. There are two lanes: an
 * attempt that has waited long, or whose endpoint keeps failing, is counted in the slow one, whatever its number;
 * the prompt one stays free for endpoints that answer. An endpoint's own limit grows with each success and halves with
 * each failure. Accounts share a lane before their endpoints do, and none has more than half of it: an account may have
 * any number of endpoints.
 */
export type DeliverySlots = {
  /** Shares what is free among the accounts, and an account's share among its endpoints, in their order. */
  grant(due: readonly EndpointRef[], now: number): Grant[];
  /** The answered function is called once, when the attempt has ended. */
  begin(endpoint: EndpointRef, now: number): (succeeded: boolean) => void;
};

const promptSlots = 200;
const slowSlots = 200;
const totalSlots = 1000;
const slowAfterMs = 1000;
/** Of a lane, and of all slots. */
const largestShareOfAccount = 0.5;

const firstLimit = 2;
const highestLimit = 20;
/** An endpoint that keeps failing gets one attempt at a time. */
const lowestLimit = 1;
/** Of endpoints with nothing under way: the limits that they have earned, for their next events. */
const rememberedLimits = 10_000;

type Load = { accountId: number; limit: number; begunAt: Set<{ at: number }> };

/** Attempts under way: of all accounts, and by account. */
type Lane = { size: number; total: number; byAccount: Map<number, number> };
type Lanes = { prompt: Lane; slow: Lane };

export function createDeliverySlots(): DeliverySlots {
  const loads = new Map<number, Load>();
  // A map keeps its order of insertion: the longest idle is the first. An endpoint that answers at once is idle between
  // claims.
  const idle = new Map<number, Load>();
  const loadOf = ({ accountId, queueId }: EndpointRef): Load =>
    loads.get(queueId) ?? idle.get(queueId) ?? { accountId, limit: firstLimit, begunAt: new Set() };

  function keepIdle(queueId: number, load: Load): void {
    loads.delete(queueId);
    idle.set(queueId, load);
    const [longestIdle] = idle.keys();
    if (idle.size > rememberedLimits && longestIdle !== undefined) idle.delete(longestIdle);
  }

  function end(queueId: number, load: Load, attempt: { at: number }, succeeded: boolean): void {
    load.begunAt.delete(attempt);
    load.limit = succeeded ? Math.min(highestLimit, load.limit + 1) : Math.max(lowestLimit, load.limit >> 1);
    if (load.begunAt.size === 0 && load.limit > lowestLimit) keepIdle(queueId, load);
  }

  return {
    grant(due, now) {
      const lanes = countLanes(loads.values(), now);
      const free = Math.max(0, totalSlots - lanes.prompt.total - lanes.slow.total);
      const room = due.map((endpoint) => {
        const { limit, begunAt } = loadOf(endpoint);
        return { ...endpoint, isSuspect: limit === lowestLimit, slots: limit - begunAt.size };
      });
      const suspects = room.filter(({ isSuspect }) => isSuspect);
      const others = room.filter(({ isSuspect }) => !isSuspect);
      const forOthers = shareAmongAccounts(others, lanes.prompt, { free, lanes });
      const left = free - forOthers.reduce((sum, { slots }) => sum + slots, 0);
      return [...forOthers, ...shareAmongAccounts(suspects, lanes.slow, { free: left, lanes })];
    },
    begin(endpoint, now) {
      const { queueId } = endpoint;
      const load = loadOf(endpoint);
      const attempt = { at: now };
      load.begunAt.add(attempt);
      idle.delete(queueId);
      loads.set(queueId, load);
      return (succeeded) => end(queueId, load, attempt, succeeded);
    },
  };
}

function countLanes(loads: Iterable<Load>, now: number): Lanes {
  const lane = (size: number): Lane => ({ size, total: 0, byAccount: new Map() });
  const lanes = { prompt: lane(promptSlots), slow: lane(slowSlots) };
  for (const { accountId, limit, begunAt } of loads) {
    for (const { at } of begunAt) {
      const taken = limit === lowestLimit || now - at >= slowAfterMs ? lanes.slow : lanes.prompt;
      taken.total += 1;
      taken.byAccount.set(accountId, (taken.byAccount.get(accountId) ?? 0) + 1);
    }
  }
  return lanes;
}

/** Equal parts, the accounts with the least under way first, and at least one slot each for as long as there are any. */
function shareAmongAccounts(
  endpoints: readonly Grant[],
  lane: Lane,
  { free, lanes }: { free: number; lanes: Lanes },
): Grant[] {
  const byAccount = Map.groupBy(
    endpoints.filter(({ slots }) => slots > 0),
    ({ accountId }) => accountId,
  );
  let left = Math.min(free, lane.size - lane.total);
  const part = Math.max(1, Math.floor(left / byAccount.size));
  const inLane = (accountId: number) => lane.byAccount.get(accountId) ?? 0;
  const grants: Grant[] = [];
  for (const [accountId, ofAccount] of [...byAccount].toSorted(([a], [b]) => inLane(a) - inLane(b))) {
    const given = share(ofAccount, Math.min(part, left, roomOf(accountId, lane, lanes)));
    left -= given.reduce((sum, { slots }) => sum + slots, 0);
    grants.push(...given);
  }
  return grants;
}

function roomOf(accountId: number, lane: Lane, { prompt, slow }: Lanes): number {
  const inLane = lane.byAccount.get(accountId) ?? 0;
  const inAll = (prompt.byAccount.get(accountId) ?? 0) + (slow.byAccount.get(accountId) ?? 0);
  return Math.min(lane.size * largestShareOfAccount - inLane, totalSlots * largestShareOfAccount - inAll);
}

/** Equal parts, and at least one slot each for as long as there are any. */
function share(wanting: readonly Grant[], budget: number): Grant[] {
  const part = Math.max(1, Math.floor(budget / wanting.length));
  let left = budget;
  const grants: Grant[] = [];
  for (const { accountId, queueId, slots: wanted } of wanting) {
    const slots = Math.min(wanted, part, left);
    if (slots <= 0) break;
    left -= slots;
    grants.push({ accountId, queueId, slots });
  }
  return grants;
}
