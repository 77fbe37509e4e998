import type { Context } from '#server/context.ts';
import { requireFreeSpace } from '#server/modules/messaging/media/index.ts';
import { claimFetches, fetchIncoming } from '#server/modules/messaging/messages/index.ts';
import type { ClaimedFetch } from '#server/modules/messaging/messages/index.ts';
import { StorageLowError } from '#server/platform/disk-space.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Task } from '#server/platform/service.ts';
import type { PhoneSession } from './phone-session.ts';

/** At once, of one phone and of all: each is a connection, and a file on the disk. */
const mostOfPhone = 2;
const mostOfAll = 12;
const mostAsked = 50;

export type MediaFetching = {
  /** A message came that carries a file, or a phone is there: what is due is looked for. */
  request(): void;
  stop(): Promise<void>;
};

/** Fetches the files of messages that came, each by the phone that it came to. */
export function createMediaFetching(
  ctx: Context,
  { sessions, task }: { sessions: ReadonlyMap<number, PhoneSession>; task: Task },
): MediaFetching {
  const underWay = new Set<Promise<void>>();
  const fresh = createLane({ mostOfPhone, mostOfAll });
  // Each waits for a handset, up to a minute.
  const asked = createLane({ mostOfPhone: 1, mostOfAll: mostAsked });
  let isStopped = false;

  const runner = createRunner(async () => {
    if (isStopped || !(await hasRoom(ctx))) return;
    const phoneIds = [...sessions.keys()];
    for (const fetch of await claimFetches(ctx, fresh.rooms(phoneIds), false)) start(fetch, fresh);
    for (const fetch of await claimFetches(ctx, asked.rooms(phoneIds), true)) start(fetch, asked);
  }, task);

  function start(fetch: ClaimedFetch, lane: Lane): void {
    const phoneId = fetch.message.phone_id ?? 0;
    const session = sessions.get(phoneId);
    if (!session) return;
    const leave = lane.enter(phoneId);
    const work = fetchIncoming(ctx, fetch, (wanted) => session.fetchMedia(wanted))
      .catch((error: unknown) => {
        // Its claim ends by itself.
        ctx.logger.error({ err: error, messageId: fetch.message.id }, 'what became of a file could not be noted');
      })
      .finally(() => {
        underWay.delete(work);
        leave();
        runner.request();
      });
    underWay.add(work);
  }

  return {
    request: runner.request,
    async stop() {
      isStopped = true;
      await runner.stop();
      // Sessions that close give up what they fetch.
      await Promise.all(underWay);
    },
  };
}

/** How many are under way of each phone, and how many more may be. */
type Lane = {
  rooms(phoneIds: readonly number[]): { phoneId: number; room: number }[];
  enter(phoneId: number): () => void;
};

function createLane(most: { mostOfPhone: number; mostOfAll: number }): Lane {
  const running = new Map<number, number>();
  let total = 0;
  return {
    rooms(phoneIds) {
      const rooms = phoneIds
        .map((phoneId) => ({ phoneId, room: most.mostOfPhone - (running.get(phoneId) ?? 0) }))
        .filter(({ room }) => room > 0);
      return fairly(rooms, most.mostOfAll - total);
    },
    enter(phoneId) {
      running.set(phoneId, (running.get(phoneId) ?? 0) + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = (running.get(phoneId) ?? 1) - 1;
        if (left > 0) running.set(phoneId, left);
        else running.delete(phoneId);
      };
    },
  };
}

/** Chooses phones with the fewest fetches under way first, as many as there is room for; others come by turns. */
function fairly(
  rooms: readonly { phoneId: number; room: number }[],
  left: number,
): { phoneId: number; room: number }[] {
  const start = rooms.length > left ? Math.floor(Math.random() * rooms.length) : 0;
  const turned = [...rooms.slice(start), ...rooms.slice(0, start)].toSorted((a, b) => b.room - a.room);
  return turned.slice(0, Math.max(0, left)).map(({ phoneId }) => ({ phoneId, room: 1 }));
}

/** While the disk is nearly full files stay where they are; WhatsApp keeps them for two weeks. */
async function hasRoom(ctx: Context): Promise<boolean> {
  try {
    await requireFreeSpace(ctx);
    return true;
  } catch (error) {
    if (error instanceof StorageLowError) return false;
    throw error;
  }
}
