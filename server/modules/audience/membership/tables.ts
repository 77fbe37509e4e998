import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Criteria } from '#contracts/expressions.ts';

export type MembershipStateTables = {
  /** Accounts whose people are followed, and when they have a turn. */
  audience_work: {
    account_id: number;
    due_at: Date;
    claimed_until: Generated<Date>;
    served_at: Generated<Date>;
    /** Of the latest turn: what an earlier one finds out is not stored any more. */
    token: Generated<number>;
    ready_from: ColumnType<string | null, string | null | undefined, string | null>;
    is_ready: Generated<boolean>;
    /** A digest of what the account's expressions stood on when they were looked up. */
    definitions: Generated<string>;
    /** Everybody is looked at again, up to this one so far; null: nobody is. */
    swept_until: ColumnType<number | null, number | null | undefined, number | null>;
  };
  audience_watches: {
    account_id: number;
    id: GeneratedAlways<number>;
    source: string;
    source_id: number;
    definition: string;
    criteria: ColumnType<Criteria, string, never>;
    /** People up to this one were found. */
    built_until: Generated<number>;
    is_built: Generated<boolean>;
  };
  /** The queue of people whose answers may have changed. */
  profile_changes: { account_id: number; id: GeneratedAlways<number>; profile_id: number };
  /** Absent: in none, and nothing changes by time alone. */
  profile_states: { account_id: number; profile_id: number; member_of: number[]; due_at: Date | null };
};
