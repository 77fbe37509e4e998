/** An archive of an account is asked for. */
export const accountExportsChannel = 'dovepost_account_exports';
