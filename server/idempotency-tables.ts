export type IdempotentRequestsTable = {
  account_id: number;
  key: string;
  /** SHA-256 of what was asked for. */
  fingerprint: Buffer;
  /** Null while the work is under way. */
  status: number | null;
  answer_sealed: Buffer | null;
  created_at: Date;
};

export type IdempotencyTables = {
  idempotent_requests: IdempotentRequestsTable;
};
