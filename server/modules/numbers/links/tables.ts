import type { Generated } from 'kysely';

export type PhoneLeasesTable = {
  account_id: number;
  phone_id: number;
  owner: string;
  /** Grows with every change of owner; a write that carries an older one changes nothing. */
  token: number;
  /** Ends sooner where its worker's own lease does. */
  expires_at: Date;
};

/** A phone is linked through one engine at a time; another's credentials are none. */
export type ConnectorCredentialsTable = {
  account_id: number;
  phone_id: number;
  engine: Generated<string>;
  sealed: Buffer;
};

export type ConnectorKeysTable = { account_id: number; phone_id: number; type: string; id: string; sealed: Buffer };

/** The processes that hold phones, and those that could; one that is gone is not seen any more. */
export type PhoneWorkersTable = {
  owner: string;
  seen_at: Date;
  /** How many phones it holds, and may hold; null: it is of a release before. */
  held: number | null;
  most: number | null;
  /** Tokens of its phones are higher; null: it is of a release before. */
  epoch: number | null;
  /** Of its own lease. */
  expires_at: Date | null;
  /** All phones that want a session, when it counted them last. */
  phones: number | null;
  counted_at: Date | null;
};

export type PhoneLinkTables = {
  phone_leases: PhoneLeasesTable;
  phone_workers: PhoneWorkersTable;
  connector_credentials: ConnectorCredentialsTable;
  connector_keys: ConnectorKeysTable;
};
