/** The keys of an account's projects may open something else now, as triggers of the database notify: the account's id. */
export const projectKeysChannel = 'dovepost_project_keys';
