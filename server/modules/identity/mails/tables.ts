export type MailsTable = {
  id: string;
  /** The mail as JSON: it holds links that open accounts. */
  sealed: Buffer;
  attempts: number;
  next_attempt_at: Date;
  /** Nobody needs it any more after that: the link in it has run out. */
  expires_at: Date;
  created_at: Date;
};

export type MailTables = { mails: MailsTable };
