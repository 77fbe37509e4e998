const ids = new Set<number>();
const mostKept = 1_000;

/** Messages that this page has sent: no answers of somebody else. */
export function noteSentHere(messageId: number): void {
  if (ids.size >= mostKept) ids.clear();
  ids.add(messageId);
}

export const isSentHere = (messageId: number): boolean => ids.has(messageId);
