import type { Generated, GeneratedAlways } from 'kysely';
import type { OptionalJson } from '#server/platform/db/columns.ts';

/** Webhooks of Meta as they came, until they are worked off. */
export type CloudWebhooksTable = {
  id: GeneratedAlways<number>;
  account_id: number;
  phone_id: number;
  body: Buffer;
  received_at: Date;
  due_at: Date;
  attempts: Generated<number>;
  /** Of one that is worked off: the statuses whose message is not known yet. */
  rest: OptionalJson<unknown[]>;
};

/** Meta's notices about a number, its account or a template. */
export type CloudNoticesTable = {
  account_id: number;
  phone_id: number;
  id: GeneratedAlways<number>;
  field: string;
  value: OptionalJson<Record<string, unknown>>;
  at: Date;
};

export type OfficialTables = { cloud_webhooks: CloudWebhooksTable; cloud_notices: CloudNoticesTable };
