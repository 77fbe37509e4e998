type Thing = { id: number };

/** Under which a draft is kept: of what is changed, of a copy, or of something new. */
export function draftKeyOf({ edited, copied }: { edited?: Thing | undefined; copied?: Thing | undefined }): string {
  if (edited !== undefined) return String(edited.id);
  return copied === undefined ? 'new' : `copy:${copied.id}`;
}
