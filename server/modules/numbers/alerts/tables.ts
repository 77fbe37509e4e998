import type { Generated, GeneratedAlways } from 'kysely';
import type { AlertKind, AlertSettingsChange } from '#contracts/alerts.ts';
import type { Json } from '#server/platform/db/columns.ts';

/** An occasion, open until `ended_at`. Of each subject one at a time is open or still owes a mail. */
type AlertsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  project_id: number | null;
  kind: AlertKind;
  /** The phone's, campaign's, endpoint's or import's id. */
  subject_id: number;
  /** `AlertFacts` of its kind. */
  facts: Json<unknown>;
  began_at: Date;
  /** From when on it is worth a mail: what is over by then is announced to nobody. */
  due_at: Date;
  /** When the mail that it has begun went out; null: no mail has, or the kind is switched off. A process of an earlier version knows it by this name. */
  told_at: Date | null;
  ended_at: Date | null;
  /** Of one that has ended: its subject is well again, and not merely gone. */
  is_over: boolean | null;
  dismissed_at: Date | null;
  /** When the mail that is owed is tried next; null: none is. */
  next_attempt_at: Date | null;
  attempts: Generated<number>;
};

/** Only what differs from the defaults. */
type AlertSettingsTable = { account_id: number; changes: Json<AlertSettingsChange> };

export type AlertTables = { alerts: AlertsTable; alert_settings: AlertSettingsTable };
