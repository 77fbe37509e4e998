/** An open page's LiveEvent: `{ account_id, event }`. */
export const liveChannel = 'dovepost_live';

/**
 * Sessions or API keys were revoked, as triggers of the database notify: whoever holds a connection open by one lets it
 * go. No payload.
 */
export const credentialsChannel = 'dovepost_credentials';
