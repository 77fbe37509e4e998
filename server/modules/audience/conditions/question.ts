import type { RawBuilder } from 'kysely';
import type { ConditionCost } from '#contracts/conditions.ts';
import type { MessageEvent } from '#contracts/message-events.ts';
import type { ConsentState } from '#contracts/topics.ts';
import type { Matchable } from './kinds/matches-condition.ts';
import type { Engagement } from './kinds/engagement.ts';
import type { Happenings } from './kinds/happenings.ts';

export type Predicate = RawBuilder<boolean>;

/** Of which account is asked, as of which moment, and the zone in which its days begin. */
export type Moment = { accountId: number; now: Date; timezone: string };

/** A message of a campaign, a flow or a bulk run to a person: when it came how far. */
export type Step = { event: MessageEvent; at: Date; properties: Record<string, unknown> };

/**
 * A profile with what was sent to it, how far that came, its events and what its number chose; without them, there was
 * none.
 */
export type Person = Matchable & {
  id: number;
  engagement?: readonly Engagement[];
  steps?: readonly Step[];
  happenings?: Happenings;
  /** The states that the number chose, by topic. */
  topics?: ReadonlyMap<number, ConsentState>;
};

/**
 * A condition of any kind, ready to be asked. Each answers true, false, or that the profile's value cannot be read,
 * which is neither: SQL and memory say the same of each profile, and a test compares the two.
 */
export type Question = {
  /**
   * SQL over the table `profiles`, which the statement narrows to the account itself: true for the profiles whose
   * answer is the wanted one, for all others false or null.
   */
  predicate(moment: Moment, wanted?: boolean): Predicate;
  /**
   * The same for a few profiles, whose ids the SQL array `among` holds: by what is found of them, where `predicate` reads
   * what there is of everybody. Over `profiles` of which no more than the id needs to be there.
   */
  lookup?(moment: Moment, among: RawBuilder<number[]>, wanted?: boolean): Predicate;
  /**
   * SQL of `profile_id`, each of them once: all of the account who match, found without their profiles. For a caller who
   * sees them all.
   */
  ids?(moment: Moment): RawBuilder<unknown>;
  /** Of a group all of which must hold: its parts. */
  all?: readonly Question[];
  /** The same of one profile; undefined: its value cannot be read. */
  evaluate(person: Person, moment: Moment): boolean | undefined;
  /**
   * Profiles whose answer may have changed since, though they have not: one predicate for each way. Undefined where
   * it may have changed for any of them.
   */
  changedSince(since: Date, moment: Moment): Predicate[] | undefined;
  /**
   * The first moment after this one, in milliseconds, at which the answer may be another though nobody does anything;
   * Infinity: it stays. Until then it is certain, so that whoever waits for it need not look.
   */
  validUntil(person: Person, moment: Moment): number;
  cost: ConditionCost;
  /** Whether values may be there that it cannot read. */
  mayBeUnreadable: boolean;
  /** SQL that is cheap and asked once: whether any are there now. */
  isAnyUnread?(moment: Moment): Predicate;
  /** The value that a leaf reads, for explanations. */
  readValue?(person: Person, moment: Moment): unknown;
};
