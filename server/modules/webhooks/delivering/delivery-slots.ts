export type ProjectRef = { accountId: number; projectId: number };

/** How many records of a project may be claimed. */
export type Grant = ProjectRef & { slots: number };

/**
 * Bounds what is under way, so that an endpoint which hangs holds back nobody but itself. There are two lanes: an
 * attempt that has waited long, or whose endpoint keeps failing, is counted in the slow one, whatever its number;
 * the prompt one stays free for endpoints that answer. A project's own limit grows with each success and halves with
 * each failure.
 */
export type DeliverySlots = {
  /** Shares what is free among the projects, in their order. */
  grant(due: readonly ProjectRef[], now: number): Grant[];
  /** The answered function is called once, when the attempt has ended. */
  begin(project: ProjectRef, now: number): (succeeded: boolean) => void;
};

const promptSlots = 200;
const slowSlots = 200;
const totalSlots = 1000;
const slowAfterMs = 1000;

const firstLimit = 2;
const highestLimit = 20;
/** An endpoint that keeps failing gets one attempt at a time. */
const lowestLimit = 1;

type Load = { limit: number; begunAt: Set<{ at: number }> };

export function createDeliverySlots(): DeliverySlots {
  const loads = new Map<number, Load>();
  const loadOf = (projectId: number): Load => loads.get(projectId) ?? { limit: firstLimit, begunAt: new Set() };

  function end(projectId: number, load: Load, attempt: { at: number }, succeeded: boolean): void {
    load.begunAt.delete(attempt);
    load.limit = succeeded ? Math.min(highestLimit, load.limit + 1) : Math.max(lowestLimit, load.limit >> 1);
    const isForgettable = load.begunAt.size === 0 && load.limit > lowestLimit;
    if (isForgettable) loads.delete(projectId);
  }

  return {
    grant(due, now) {
      const { prompt, slow } = countLanes(loads.values(), now);
      const free = Math.max(0, totalSlots - prompt - slow);
      const room = due.map((project) => {
        const { limit, begunAt } = loadOf(project.projectId);
        return { ...project, isSuspect: limit === lowestLimit, slots: limit - begunAt.size };
      });
      const suspects = room.filter(({ isSuspect }) => isSuspect);
      const others = room.filter(({ isSuspect }) => !isSuspect);
      const forOthers = share(others, Math.min(free, promptSlots - prompt));
      const left = free - forOthers.reduce((sum, { slots }) => sum + slots, 0);
      return [...forOthers, ...share(suspects, Math.min(left, slowSlots - slow))];
    },
    begin({ projectId }, now) {
      const load = loadOf(projectId);
      const attempt = { at: now };
      load.begunAt.add(attempt);
      loads.set(projectId, load);
      return (succeeded) => end(projectId, load, attempt, succeeded);
    },
  };
}

function countLanes(loads: Iterable<Load>, now: number): { prompt: number; slow: number } {
  let prompt = 0;
  let slow = 0;
  for (const { limit, begunAt } of loads) {
    for (const { at } of begunAt) {
      if (limit === lowestLimit || now - at >= slowAfterMs) slow += 1;
      else prompt += 1;
    }
  }
  return { prompt, slow };
}

/** Equal parts, and at least one slot each for as long as there are any. */
function share(projects: readonly Grant[], budget: number): Grant[] {
  const hungry = projects.filter(({ slots }) => slots > 0);
  const part = Math.max(1, Math.floor(budget / hungry.length));
  let left = budget;
  const grants: Grant[] = [];
  for (const { accountId, projectId, slots: wanted } of hungry) {
    const slots = Math.min(wanted, part, left);
    if (slots <= 0) break;
    left -= slots;
    grants.push({ accountId, projectId, slots });
  }
  return grants;
}
