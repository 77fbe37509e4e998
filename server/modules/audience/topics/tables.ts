import type { Generated, GeneratedAlways } from 'kysely';
import type { ConsentEvidence, ConsentSource, ConsentState } from '#contracts/topics.ts';
import type { CapPriority, WhenCapped } from '#contracts/caps.ts';
import type { Json } from '#server/platform/db/columns.ts';

export type TopicsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  name: string;
  description: string | null;
  needs_opt_in: boolean;
  created_at: Date;
  updated_at: Date;
  /** Nothing new names it from then on. */
  deleted_at: Date | null;
};

/** The last word of a number on a topic; `id` grows with each word. */
export type TopicConsentsTable = {
  account_id: number;
  topic_id: number;
  phone_key: string;
  id: Generated<number>;
  phone: string;
  state: ConsentState;
  source: ConsentSource;
  evidence: Json<ConsentEvidence>;
  note: string | null;
  at: Date;
};

export type TopicConsentLogTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  topic_id: number;
  /** As it was at that time. */
  topic_name: string;
  phone_key: string;
  phone: string;
  state: ConsentState;
  source: ConsentSource;
  evidence: Json<ConsentEvidence>;
  note: string | null;
  at: Date;
  /** When it became known here: `at` may lie earlier. */
  noted_at: Date;
};

/** The rules of campaigns, flows and bulk runs that have any. */
export type SourceRulesTable = {
  account_id: number;
  source: 'campaign' | 'flow' | 'bulk_run';
  source_id: number;
  topic_id: number | null;
  when_capped: Generated<WhenCapped>;
  priority: Generated<CapPriority>;
};

export type TopicTables = {
  topics: TopicsTable;
  topic_consents: TopicConsentsTable;
  topic_consent_log: TopicConsentLogTable;
  source_rules: SourceRulesTable;
};
