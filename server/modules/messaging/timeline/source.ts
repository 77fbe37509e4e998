import type { TimelineEntry } from '#contracts/timeline.ts';
import type { AccountContext } from '#server/context.ts';

/** A person whose history is read. */
export type Person = { id: number; phone: string; createdAt: Date };

/** Where a source goes on. */
export type From = {
  /** After this place of its own order; undefined: from its latest entry on. */
  place: string | undefined;
  /** Nothing of this moment or later. */
  before: Date | undefined;
  limit: number;
};

/** An entry with its place in the order of its source, of digits and `_`. */
export type Placed = { at: Date; place: string; entry: TimelineEntry };

/** Entries of one kind, the latest first, each found by an index. */
export type Source = (ctx: AccountContext, person: Person, from: From) => Promise<Placed[]>;

/** A place `<milliseconds>_<id>`. */
export const placeOf = ({ at, id }: { at: Date; id: number }): string => `${at.getTime()}_${id}`;

/** The parts of a place `<milliseconds>_<id>`. */
export function timedPlace(place: string): { at: Date; id: number } {
  const [ms = '0', id = '0'] = place.split('_');
  return { at: new Date(Number(ms)), id: Number(id) };
}
