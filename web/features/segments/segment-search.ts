/** What the segments page shows, as the URL keeps it. */
export type SegmentSearch = {
  /** The segment whose dialog is open. */
  edit?: number;
};

/** A route's `validateSearch`: what it does not know is left out. */
export function segmentSearch(search: Record<string, unknown>): SegmentSearch {
  const edit = Number(search['edit']);
  return Number.isSafeInteger(edit) && edit > 0 ? { edit } : {};
}
