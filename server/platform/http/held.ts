/** Whether `if-none-match` names the version. RFC 9110, section 13.1.2: weak tags are compared as strong ones, `*` is any. */
export function isHeld(etag: string, ifNoneMatch = ''): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => ['*', plain(etag)].includes(plain(tag)));
}
