import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EventLeaf } from '#contracts/expressions.ts';
import type { Moment, Predicate, Question } from '../question.ts';
import { withProperties } from './counted-events.ts';
import type { Count, EventSpan } from './counted-events.ts';
import { isMessageEvent } from './happenings.ts';
import { eventOfMessages } from './message-events.ts';
import { ownEvents } from './own-events.ts';
import { around, keepLatest, never, spanTurnsAt } from './next-change.ts';
import { spanFrom } from './span.ts';

/**
 * Asks how often a person's event happened. `where` is asked of the event's properties, as custom fields of a profile
 * of its own.
 */
export function eventLeaf(leaf: EventLeaf, where: Question | undefined): Question {
  const { event, times } = leaf;
  const counted = isMessageEvent(event) ? eventOfMessages(event) : ownEvents(event);
  const { bounds } = counted;
  const spanAt = keepLatest((moment: Moment) => spanOf(leaf, moment));
  /** Over `b`: the counts by day answer for most people, and the events themselves for the others. */
  function answerOf(id: RawBuilder<number>, moment: Moment, wanted = true): Predicate {
    const counts = counted.counts(moment, { span: spanAt(moment), where }, id);
    const isIn = (having: RawBuilder<boolean>): Predicate =>
      sql`(exists (select from (${counts}) as c having ${having}))`;
    const enough = times.op === '=' ? times.n + 1 : times.n;
    return sql`
      (case when b.rest = 0 or b.whole >= ${enough} or b.whole + b.rest < ${times.n}
            then ${holds(times, wanted)} else ${compare(times, wanted, isIn)} end)`;
  }
  function idsOf(moment: Moment): RawBuilder<unknown> {
    // Where properties are asked for, the events of nearly everybody are read.
    if (where || !bounds) return idsWith(moment, sureOf(times));
    return sql`
      select b.profile_id from (${bounds(moment, { span: spanAt(moment), where })}) as b
       where ${answerOf(sql`b.profile_id`, moment)}`;
  }
  const idsWith = (moment: Moment, having: RawBuilder<boolean>): RawBuilder<unknown> => sql`
    select c.profile_id from (${counted.counts(moment, { span: spanAt(moment), where })}) as c
     group by c.profile_id having ${having}`;
  return {
    predicate(moment, wanted = true) {
      const isIn = (having: RawBuilder<boolean>): Predicate =>
        // Asked once for all profiles: as a join it may be asked for each of them.
        sql`((profiles.id in (${idsWith(moment, having)})) is true)`;
      return compare(times, wanted, isIn);
    },
    ...(isCountedIn(times) && { ids: idsOf }),
    ...(!where &&
      counted.isAnyErased && {
        isAnyUnread: (moment: Moment) => counted.isAnyErased?.(moment, spanAt(moment)) ?? sql<boolean>`true`,
      }),
    ...(bounds && {
      lookup: (moment: Moment, among: RawBuilder<number[]>, wanted = true) => {
        const found = bounds(moment, { span: spanAt(moment), where }, among);
        const isAnswered = answerOf(sql`b.profile_id`, moment, wanted);
        const having = (condition: RawBuilder<unknown>): Predicate => sql`
          ((profiles.id in (select b.profile_id from (${found}) as b where ${condition})) is true)`;
        // A person without an event is not among those that are found.
        return holdsOfNone(times) === wanted ? sql`(not ${having(sql`not ${isAnswered}`)})` : having(isAnswered);
      },
    }),
    evaluate(person, moment) {
      const { lo, hi } = counted.count(person, moment, { span: spanAt(moment), where });
      return answer(times, { lo, hi });
    },
    changedSince(since, moment) {
      const span = spanAt(moment);
      const then = spanOf(leaf, { ...moment, now: since });
      // Time also changes what is asked of the events.
      if (where?.changedSince(since, moment)?.length !== (where && 0)) return undefined;
      const isMoving = then.from?.getTime() !== span.from?.getTime();
      const left =
        isMoving && then.from && span.from ? [counted.happened(moment, { from: then.from, to: span.from })] : [];
      return [counted.receivedSince(moment, since), ...left];
    },
    validUntil(person, moment) {
      const { window } = leaf;
      const asked = where
        ? counted.properties(person).map((each) => where.validUntil(withProperties(each), moment))
        : [];
      const left =
        window && 'last' in window
          ? spanTurnsAt(counted.moments(person).flatMap(around), { n: -window.last, unit: window.unit }, moment.now)
          : never;
      return Math.min(left, ...asked);
    },
    cost: 'scan',
    mayBeUnreadable: true,
    readValue(person, moment) {
      const { lo, hi } = counted.count(person, moment, { span: spanAt(moment), where });
      return lo === hi ? lo : `${lo} to ${hi}`;
    },
  };
}

/** Whether nobody without an event matches. */
const isCountedIn = ({ op, n }: EventLeaf['times']) => op === '>=' || (op === '=' && n > 0);

/** Whether somebody without an event matches. */
const holdsOfNone = ({ op, n }: EventLeaf['times']) => (op === '>=' ? n <= 0 : op === '<' ? n > 0 : n === 0);

/** Over the sums of a person with events. */
const sureOf = ({ op, n }: EventLeaf['times']): RawBuilder<boolean> =>
  op === '>=' ? sql`sum(lo) >= ${n}` : sql`sum(lo) = ${n} and sum(hi) = ${n}`;

/** Nobody's count is below nothing, so that those without an event are the others. */
function compare(
  { op, n }: EventLeaf['times'],
  wanted: boolean,
  isIn: (having: RawBuilder<boolean>) => Predicate,
): Predicate {
  const isNotIn = (having: RawBuilder<boolean>): Predicate => sql`(not ${isIn(having)})`;
  const [least, most] = [sql<boolean>`sum(lo) >= ${n}`, sql<boolean>`sum(hi) >= ${n}`];
  if (op === '>=') return wanted ? isIn(least) : isNotIn(most);
  if (op === '<') return wanted ? isNotIn(most) : isIn(least);
  if (n === 0) return wanted ? isNotIn(sql`sum(hi) > 0`) : isIn(sql`sum(lo) > 0`);
  return wanted ? isIn(sql`sum(lo) = ${n} and sum(hi) = ${n}`) : isNotIn(sql`sum(lo) <= ${n} and sum(hi) >= ${n}`);
}

/** Over `b`, where either of its two counts answers as the other does. */
function holds({ op, n }: EventLeaf['times'], wanted: boolean): Predicate {
  const comparison = sql`b.whole + b.rest ${sql.raw(op)} ${n}`;
  return wanted ? sql`(${comparison})` : sql`(not (${comparison}))`;
}

function answer({ op, n }: EventLeaf['times'], { lo, hi }: Count): boolean | undefined {
  if (op === '>=') return lo >= n ? true : hi < n ? false : undefined;
  if (op === '<') return hi < n ? true : lo >= n ? false : undefined;
  if (lo === n && hi === n) return true;
  return n < lo || n > hi ? false : undefined;
}

function spanOf({ window }: Pick<EventLeaf, 'window'>, { now }: Moment): EventSpan {
  if (!window) return { from: undefined, to: undefined };
  if ('last' in window) return { from: spanFrom(now, { n: -window.last, unit: window.unit }), to: undefined };
  return { from: new Date(window.from), to: new Date(window.to) };
}
