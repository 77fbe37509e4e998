import type { Generated, GeneratedAlways } from 'kysely';

export type EventTables = {
  /** Locked by whoever stores or erases events of the account. */
  event_accounts: {
    account_id: number;
    /** How much room its events take. */
    bytes: Generated<number>;
    names: Generated<number>;
    /** Events that were received earlier may be gone. */
    erased_until: Date | null;
    /** The hour of the latest events, and how many came in it. */
    told_hour: Date | null;
    told: Generated<number>;
  };
  event_names: {
    account_id: number;
    id: GeneratedAlways<number>;
    name: string;
    first_at: Date;
    last_at: Date;
    total: Generated<number>;
  };
  /** By months of their ids, which carry when they were received. */
  events: {
    account_id: number;
    id: Generated<number>;
    profile_id: number;
    name_id: number;
    at: Date;
    received_at: Date;
    message_id: string | null;
    properties: Record<string, unknown>;
    bytes: number;
  };
  /** Counts by day (UTC), which outlive the events. */
  event_days: { account_id: number; name_id: number; profile_id: number; day: Date; n: number };
  /** Counts by the hour in which they came. */
  event_hours: { account_id: number; name_id: number; hour: Date; n: number };
  event_keys: { account_id: number; message_id: string; event_id: number; profile_id: number; stored_at: Date };
};
