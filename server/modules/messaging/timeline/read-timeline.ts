import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import { timelineKinds } from '#contracts/timeline.ts';
import type { getProfileTimeline as contract, TimelineKind } from '#contracts/timeline.ts';
import type { AccountContext } from '#server/context.ts';
import { getProfileRow } from '#server/modules/audience/profiles/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { changesOf, creationOf } from './changes.ts';
import { consentsOf, optOutsOf } from './consents.ts';
import { eventsOf } from './events.ts';
import { messagesOf } from './messages.ts';
import { notesOf } from './notes.ts';
import { segmentsOf } from './segments.ts';
import type { Placed, Source } from './source.ts';

type ReadTimeline = EndpointInput<typeof contract>['query'] & { profileId: number };

/** In the order in which entries of the same moment stand. The names are part of cursors. */
const sources: Readonly<Record<string, { kind: TimelineKind; read: Source }>> = {
  m: { kind: 'message', read: messagesOf },
  e: { kind: 'event', read: eventsOf },
  s: { kind: 'segment', read: segmentsOf },
  o: { kind: 'consent', read: optOutsOf },
  t: { kind: 'consent', read: consentsOf },
  n: { kind: 'note', read: notesOf },
  c: { kind: 'change', read: changesOf },
  b: { kind: 'created', read: creationOf },
};

/** Where a page ended: its last moment, and the place that each source has come to. */
type Cursor = { at: number; places: Record<string, string> };

/**
 * Each source is read in its own order from its own place on, and their heads are merged by time: no entry is left out
 * or comes twice, whatever is added meanwhile. Throws 404.
 */
export async function readTimeline(
  ctx: AccountContext,
  { profileId, kind: kinds = [...timelineKinds], after, limit }: ReadTimeline,
): Promise<EndpointResponse<typeof contract>> {
  const cursor = after === undefined ? undefined : readCursor(after);
  const { id, phone, created_at: createdAt } = await getProfileRow(ctx, profileId);
  const queues: { name: string; entries: Placed[] }[] = [];
  for (const [name, { kind, read }] of Object.entries(sources)) {
    if (!kinds.includes(kind)) continue;
    const place = cursor?.places[name];
    // A source without a place had nothing later than where the page ended, which is known to the millisecond.
    const before = cursor && place === undefined ? new Date(cursor.at + 1) : undefined;
    queues.push({ name, entries: await read(ctx, { id, phone, createdAt }, { place, before, limit: limit + 1 }) });
  }
  const places = { ...cursor?.places };
  const page: Placed[] = [];
  while (page.length < limit) {
    const next = latest(queues);
    if (!next) break;
    const [entry] = next.entries.splice(0, 1);
    if (!entry) break;
    page.push(entry);
    places[next.name] = entry.place;
  }
  const last = page.at(-1);
  const isMore = last !== undefined && queues.some(({ entries }) => entries.length > 0);
  return {
    data: page.map(({ entry }) => entry),
    next_cursor: isMore ? writeCursor({ at: last.at.getTime(), places }) : null,
  };
}

/** The queue whose first entry is the latest of all. */
function latest<Queue extends { entries: Placed[] }>(queues: readonly Queue[]): Queue | undefined {
  return queues.reduce<Queue | undefined>((best, queue) => {
    const [head] = queue.entries;
    if (!head) return best;
    const top = best?.entries[0];
    return top === undefined || head.at > top.at ? queue : best;
  }, undefined);
}

const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url');

function readCursor(text: string): Cursor {
  try {
    const cursor: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (isCursor(cursor)) return cursor;
  } catch {
    // Text that is no JSON is no cursor either.
  }
  throw new InvalidInputError([{ path: 'after', message: 'Use the next_cursor of an earlier answer' }]);
}

const mostMs = 8.64e15;

function isCursor(value: unknown): value is Cursor {
  if (typeof value !== 'object' || value === null || !('at' in value) || !('places' in value)) return false;
  const { at, places } = value;
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || Math.abs(at) >= mostMs) return false;
  if (typeof places !== 'object' || places === null) return false;
  return Object.entries(places).every(
    ([name, place]) =>
      Object.hasOwn(sources, name) && typeof place === 'string' && /^(-?\d{1,15}_)?\d{1,15}$/.test(place),
  );
}
