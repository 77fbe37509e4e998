import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { MessageLeaf, MessageState } from '#contracts/expressions.ts';
import type { Moment, Person, Question } from '../question.ts';
import { engagementOf } from './engagement.ts';
import type { Engagement } from './engagement.ts';
import { around, never, spanTurnsAt } from './next-change.ts';
import { spanFrom } from './span.ts';

/**
 * Asks for the outcome of messages that campaigns and flows sent to a person. Messages that retention has erased cannot
 * be read.
 */
export function messageLeaf(leaf: MessageLeaf): Question {
  const { message, state, not: isMissed = false } = leaf;
  const reached = isMissed ? sql`not ${hasReached[state]}` : hasReached[state];
  return {
    predicate(moment, wanted = true) {
      const found = sql`(${entriesOf(leaf, moment)})`;
      // Asked once for all profiles: as a join it may be asked for each of them.
      const matching = sql`((profiles.id in (select profile_id from ${found} as e where ${reached})) is true)`;
      if (wanted) return sql`(${matching})`;
      const unread = sql`((profiles.id in (select profile_id from ${found} as e where ${hasReached[state]} is null)) is true)`;
      return sql`(not ${matching} and not ${unread})`;
    },
    evaluate(person, moment) {
      const answers = engagementFor(leaf, person, moment).map((entry) => reachedIn(entry, state));
      if (answers.includes(!isMissed)) return true;
      return answers.includes(undefined) ? undefined : false;
    },
    changedSince: () => undefined,
    validUntil(person, { now }) {
      const { window } = leaf;
      if (!window || !('last' in window)) return never;
      const times = (person.engagement ?? []).flatMap(({ at }) => around(at.getTime()));
      return spanTurnsAt(times, { n: -window.last, unit: window.unit }, now);
    },
    cost: 'scan',
    mayBeUnreadable: state === 'delivered' || state === 'read',
    readValue(person, moment) {
      const [latest] = engagementFor({ message: { ...message, last: true }, state }, person, moment);
      return latest === undefined ? null : latest.hasFailed ? 'failed' : (latest.reached ?? 'sent');
    },
  };
}

/** Over entries `e`; null where it cannot be known any more. */
const hasReached: Readonly<Record<MessageState, RawBuilder<boolean>>> = {
  sent: sql`(not e.has_failed)`,
  failed: sql`(e.has_failed)`,
  delivered: sql`(case when e.has_failed then false else e.reached in ('delivered', 'read') end)`,
  read: sql`(case when e.has_failed then false else e.reached = 'read' end)`,
  replied: sql`(e.has_replied)`,
  clicked: sql`(e.has_clicked)`,
};

function reachedIn(
  { hasFailed, hasReplied, hasClicked, reached }: Engagement,
  state: MessageState,
): boolean | undefined {
  if (state === 'failed') return hasFailed;
  if (state === 'sent') return !hasFailed;
  if (state === 'replied') return hasReplied;
  if (state === 'clicked') return hasClicked;
  if (hasFailed) return false;
  if (reached === null) return undefined;
  return reached === 'read' || (state === 'delivered' && reached === 'delivered');
}

type Span = { from: Date | undefined; to: Date | undefined };

function spanOf({ window }: Pick<MessageLeaf, 'window'>, { now }: Moment): Span {
  if (!window) return { from: undefined, to: undefined };
  if ('last' in window) return { from: spanFrom(now, { n: -window.last, unit: window.unit }), to: undefined };
  return { from: new Date(window.from), to: new Date(window.to) };
}

function entriesOf(leaf: MessageLeaf, moment: Moment): RawBuilder<unknown> {
  const { from, to } = spanOf(leaf, moment);
  const entries = sql`
    select e.* from (${engagementOf(moment.accountId, leaf.message)}) as e
     where ${from ? sql`e.at >= ${from}` : sql`true`} and ${to ? sql`e.at < ${to}` : sql`true`}`;
  if (!leaf.message.last) return entries;
  return sql`select distinct on (profile_id) e.* from (${entries}) as e
              order by profile_id, at desc, message_id desc`;
}

/** The latest first. */
function engagementFor(leaf: MessageLeaf, { engagement = [] }: Person, moment: Moment): readonly Engagement[] {
  const { of, id, last } = leaf.message;
  const { from, to } = spanOf(leaf, moment);
  const found = engagement.filter(
    (entry) =>
      (of === 'any' || entry.of === of) &&
      (id === undefined || entry.sourceId === id) &&
      (from === undefined || entry.at >= from) &&
      (to === undefined || entry.at < to),
  );
  return last ? found.slice(0, 1) : found;
}
