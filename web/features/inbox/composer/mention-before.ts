/** `@` and what is typed after it, up to the caret. */
export function mentionBefore(text: string, caret: number): { start: number; search: string } | undefined {
  const match = /(?:^|[^\p{L}\p{N}_])@([\p{L}\p{N}'. -]{0,40})$/u.exec(text.slice(0, caret));
  if (match === null) return undefined;
  const search = match[1] ?? '';
  return { start: caret - search.length - 1, search };
}
