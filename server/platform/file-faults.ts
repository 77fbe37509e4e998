const codes: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'EDQUOT',
  'EFBIG',
  'EIO',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/** The disk is full or read-only, or its rights keep this user out. */
export function isFileFault(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { code, syscall = '' }: NodeJS.ErrnoException = error;
  return codes.has(code) && !/^(bind|connect|listen|spawn)/.test(syscall);
}

/** In one line for the operator. */
export const describeFileFault = ({ message }: Error) =>
  `DATA_DIR: expected a directory that this user may write to, on a disk with room (${message})`;
