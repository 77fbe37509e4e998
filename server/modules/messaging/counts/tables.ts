import type { Generated } from 'kysely';
import type { MessageDirection } from '#contracts/messages.ts';

/** Outcomes of the messages created in a quarter of an hour; updated with every change of a status. */
export type MessageCountsTable = {
  account_id: number;
  project_id: number;
  quarter_hour: Date;
  /** 0: no phone was chosen. */
  phone_id: number;
  direction: MessageDirection;
  sent: Generated<number>;
  delivered: Generated<number>;
  failed: Generated<number>;
  received: Generated<number>;
};

/** Outcomes of the messages of a template that were created on a day (UTC); updated with every change of a status. */
export type TemplateCountsTable = {
  account_id: number;
  project_id: number;
  phone_id: number;
  business_account_id: string;
  name: string;
  language: string;
  /** YYYY-MM-DD. */
  day: string;
  delivered: Generated<number>;
  read: Generated<number>;
};

export type MessageCountTables = {
  message_counts: MessageCountsTable;
  template_counts: TemplateCountsTable;
};
