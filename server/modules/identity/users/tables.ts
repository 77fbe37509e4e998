import type { SecurityEventType } from '#contracts/security-events.ts';
import type { Generated, GeneratedAlways } from 'kysely';

/** A view of accounts: each person has a row there, by the same id, which is their sessions' `account_id` too. */
type UsersView = {
  id: GeneratedAlways<number>;
  name: string;
  /** BCP 47; null: unknown. */
  language: string | null;
  /** As the person wrote it, trimmed. */
  email: string;
  /** Lower case: what uniqueness and sign-in compare. */
  email_key: string;
  password_hash: string;
  /** Null once the address is confirmed, or where none has to be. */
  email_unconfirmed_since: Date | null;
  created_at: Date;
};

type SessionsTable = {
  token_hash: Buffer;
  /** The user's id. */
  account_id: number;
  /** The account that the person works in; null: their own. */
  current_account_id: number | null;
  created_at: Date;
  last_used_at: Date;
  /** When the person last showed who they are; null: not since the session was opened by a remembered browser. */
  confirmed_at: Date | null;
  expires_at: Date;
  ip: string | null;
  user_agent: string | null;
};

/** `account_id` is the user's id. */
type PasswordResetsTable = { token_hash: Buffer; account_id: number; expires_at: Date };

/** Confirms `email`: the person's own address, or the one that is to take its place. `account_id` is the user's id. */
type EmailLinksTable = {
  account_id: number;
  token_hash: Buffer;
  email: string;
  email_key: string;
  expires_at: Date;
};

/** `account_id` is the user's id. */
type SignInNetworksTable = { account_id: number; network: string; last_at: Date };

type SecurityEventsTable = {
  /** The user's id, or for `accountEventTypes` the account's. */
  account_id: number;
  id: GeneratedAlways<number>;
  type: SecurityEventType;
  at: Date;
  ip: string | null;
  user_agent: string | null;
  detail: string | null;
  /** How often the same came again and was not written down anew. */
  repeats: Generated<number>;
  /** When it came for the last time; null where it came once. */
  last_at: Date | null;
};

/** `account_id` is the user's id. */
type TotpFactorsTable = {
  account_id: number;
  /** Encrypted; `totpContext` says how. */
  secret_sealed: Buffer;
  created_at: Date;
  /** Null: no code of it was confirmed yet, and sign-in does not ask for it. */
  confirmed_at: Date | null;
  /** The time step of the newest code that was taken: no other code up to it is taken any more. */
  last_step: number | null;
};

/** `account_id` is the user's id. A code that was used is deleted. */
type RecoveryCodesTable = { account_id: number; code_hash: Buffer };

/** Sign-ins whose password was right and whose second factor is still asked for. `account_id` is the user's id. */
type SignInChallengesTable = { token_hash: Buffer; account_id: number; expires_at: Date };

/** Browsers that are not asked for the second factor. `account_id` is the user's id. */
type RememberedDevicesTable = { token_hash: Buffer; account_id: number; expires_at: Date };

/** `account_id` is the user's id. */
type PasskeysTable = {
  id: GeneratedAlways<number>;
  account_id: number;
  credential_id: Buffer;
  /** By which the authenticator knows the person; null: the one that is made of their id. */
  user_handle: Generated<Buffer | null>;
  public_key: Buffer;
  /** How often the authenticator says it has signed; some always say 0. */
  counter: number;
  transports: string[];
  is_synced: boolean;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
};

export type PasskeyPurpose = 'register' | 'sign_in' | 'second_factor' | 'confirm';

/** Questions to browsers that are not answered yet. */
type PasskeyChallengesTable = {
  challenge_hash: Buffer;
  purpose: PasskeyPurpose;
  /** The hash of the session's token, or of the challenge of a sign-in; null: anybody may answer. */
  bound_to: Buffer | null;
  expires_at: Date;
};

type SignInAttemptsTable = { key: string; failures: number; last_failed_at: Date };

export type UserTables = {
  users: UsersView;
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  totp_factors: TotpFactorsTable;
  recovery_codes: RecoveryCodesTable;
  sign_in_challenges: SignInChallengesTable;
  remembered_devices: RememberedDevicesTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  sign_in_attempts: SignInAttemptsTable;
  email_links: EmailLinksTable;
  sign_in_networks: SignInNetworksTable;
  security_events: SecurityEventsTable;
  /** Where pages send a person a test, as it was typed. */
  test_numbers: { user_id: number; phone: string };
};

/** Tables whose `account_id` is a person's: their rows stay when the account of the same id goes and the person does not. */
export const personalTables: readonly (keyof UserTables)[] = [
  'sessions',
  'passkeys',
  'password_resets',
  'totp_factors',
  'recovery_codes',
  'sign_in_challenges',
  'remembered_devices',
  'email_links',
  'sign_in_networks',
  'security_events',
];
