/** An open page's LiveEvent: `{ account_id, event }`. */
export const liveChannel = 'dovepost_live';

/**
 * Sessions or API keys were revoked, as verbs and triggers of the database notify: whoever holds a connection open by one
 * lets it go. No payload.
 */
export const credentialsChannel = 'dovepost_credentials';

/** What the keys of an account's projects open has changed: the account's id. */
export const projectKeysChannel = 'dovepost_project_keys';
