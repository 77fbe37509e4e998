/** `account_id` is the user's id. */
type OidcIdentitiesTable = {
  issuer: string;
  subject: string;
  account_id: number;
  linked_at: Date;
};

/** Sign-ins and confirmations at the provider that are under way. */
type OidcAttemptsTable = {
  /** Of the token in the browser's cookie, from which state, nonce and verifier are made. */
  token_hash: Buffer;
  /** The hash of the session's token that is to be confirmed; null: somebody signs in. */
  bound_to: Buffer | null;
  /** The address that it has led to already: its person is in another cell. */
  other_cell_url: string | null;
  expires_at: Date;
};

export type OidcTables = { oidc_identities: OidcIdentitiesTable; oidc_attempts: OidcAttemptsTable };

/** As `personalTables` of `users`. */
export const identityTables: readonly (keyof OidcTables)[] = ['oidc_identities'];
