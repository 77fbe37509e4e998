/** An import of profiles is to be checked or run. No payload. */
export const importsChannel = 'dovepost_profile_imports';
