/** SQLSTATE 23505. */
export function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '23505';
}

/** SQLSTATE classes 22 and 23: what was to be stored is at fault, and will be the next time too. */
export function isDataError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && /^2[23]/.test(String(error.code));
}
