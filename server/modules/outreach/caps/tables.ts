import type { Generated } from 'kysely';

/** `topic_id` 0 stands for all messages of campaigns and flows. */
export type MessageCapsTable = {
  account_id: number;
  topic_id: number;
  per_day: number | null;
  per_week: number | null;
};

export type CapNumbersTable = { account_id: number; phone_key: string };

/** Released: the message did not go, and leaves room for another. */
export type CapReservationsTable = {
  account_id: number;
  message_id: number;
  phone_key: string;
  /** Of the account's calendar. */
  day: string;
  topic_id: number | null;
  is_released: Generated<boolean>;
};

export type CapTables = {
  message_caps: MessageCapsTable;
  cap_numbers: CapNumbersTable;
  cap_reservations: CapReservationsTable;
};
