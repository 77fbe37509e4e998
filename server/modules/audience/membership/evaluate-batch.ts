import type { Moment, Person } from '#server/modules/audience/conditions/index.ts';
import type { Batch, State } from './read-batch.ts';
import type { Found, Move, Sources } from './sources.ts';
import type { Watch } from './watches.ts';

/** The latest that the database can say. */
const latestMs = 8.64e15;

export type Outcome = {
  /** People whose state is another now. */
  states: Map<number, State>;
  /** People whose state goes: they are gone, or there is nothing to keep. */
  dropped: number[];
  /** By source. */
  moves: Map<string, Move[]>;
  /** The same, of the sources that ask who is in it. */
  found: Map<string, Found[]>;
};

type Failed = (error: unknown, about: { watchId: number; profileId: number }) => void;

type Asking = { sources: Sources; failed: Failed };

/**
 * Answers what follows from a batch, in memory alone. People who are found by an expression that is being built have not joined:
 * only those who had been looked at before move.
 */
export function evaluateBatch(batch: Batch, moment: Moment, { sources, failed }: Asking): Outcome {
  const { watches, ids, people, states, changed } = batch;
  const finding = new Set<string>(sources.flatMap(({ name, noteFound }) => (noteFound ? [name] : [])));
  const outcome: Outcome = { states: new Map(), dropped: [], moves: new Map(), found: new Map() };
  for (const profileId of ids) {
    const person = people.get(profileId);
    const before = states.get(profileId);
    if (!person) {
      if (before) outcome.dropped.push(profileId);
      continue;
    }
    const was = new Set(before?.memberOf);
    const memberOf: number[] = [];
    let turnsAt = Infinity;
    for (const watch of watches.all) {
      const isIn = isMember(watch, person, moment, { was, failed });
      if (isIn) memberOf.push(watch.id);
      turnsAt = Math.min(turnsAt, timerOf(watch, person, moment));
      const isFollowed = watch.isBuilt || profileId <= watch.builtUntil;
      const isFound = isIn && (changed.has(profileId) || !was.has(watch.id));
      if (isFound && isFollowed && finding.has(watch.source)) {
        add(outcome.found, watch.source, { sourceId: watch.sourceId, profileId });
      }
      if (watch.isTold && isFollowed && isIn !== was.has(watch.id)) {
        const move: Move = { sourceId: watch.sourceId, profileId, state: isIn ? 'joined' : 'left' };
        add(outcome.moves, watch.source, move);
      }
    }
    noteState(outcome, { profileId, before, after: { memberOf, dueAt: dueAtOf(turnsAt, before, moment) } });
  }
  return outcome;
}

function add<T>(lists: Map<string, T[]>, source: string, each: T): void {
  const list = lists.get(source);
  if (list) list.push(each);
  else lists.set(source, [each]);
}

type Asked = { was: ReadonlySet<number>; failed: Failed };

function isMember(watch: Watch, person: Person, moment: Moment, { was, failed }: Asked): boolean {
  try {
    return watch.question.evaluate(person, moment) === true;
  } catch (error) {
    // Nobody moves by an answer that there is not.
    failed(error, { watchId: watch.id, profileId: person.id });
    return was.has(watch.id);
  }
}

function timerOf({ question }: Watch, person: Person, moment: Moment): number {
  try {
    return question.validUntil(person, moment);
  } catch {
    return Infinity;
  }
}

/** A timer that is set for earlier stays, so that few are written: it looks again, and is set anew then. */
function dueAtOf(turnsAt: number, before: State | undefined, { now }: Moment): Date | null {
  if (turnsAt >= latestMs) return null;
  const set = before?.dueAt ?? null;
  if (set !== null && set > now && set.getTime() <= turnsAt) return set;
  return new Date(Math.max(turnsAt, now.getTime() + 1));
}

type Noted = { profileId: number; before: State | undefined; after: State };

function noteState(outcome: Outcome, { profileId, before, after }: Noted): void {
  const isNothing = after.memberOf.length === 0 && after.dueAt === null;
  if (isNothing) {
    if (before) outcome.dropped.push(profileId);
    return;
  }
  const isSame =
    before !== undefined &&
    before.dueAt?.getTime() === after.dueAt?.getTime() &&
    before.memberOf.length === after.memberOf.length &&
    after.memberOf.every((id) => before.memberOf.includes(id));
  if (!isSame) outcome.states.set(profileId, after);
}
