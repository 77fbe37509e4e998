/** Files of messages that came are to be fetched, by these phones. */
export const mediaFetchesChannel = 'dovepost_media_fetches';

/** Messages without a phone may get one: of a project `[account_id, project_id]`, of an account `[account_id]`. */
export const deferredChannel = 'dovepost_deferred';
