/** An open page's LiveEvent: `{ account_id, event }`. */
export const liveChannel = 'dovepost_live';

/**
 * Sessions or API keys were revoked, as verbs and triggers of the database notify: whoever holds a connection open by one
 * lets it go. No payload.
 */
export const credentialsChannel = 'dovepost_credentials';

/** The keys of an account's projects may open something else now, as verbs and triggers notify: the account's id. */
export const projectKeysChannel = 'dovepost_project_keys';
