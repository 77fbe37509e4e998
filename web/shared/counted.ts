/** A count that may have been taken among some people alone; the server of the release before does not say. */
export type Counted = { count: number; is_estimate?: boolean | undefined };

/** '12,304', 'about 12,000'; 'hardly any' where none of those who were asked was one. */
export function countedText({ count, is_estimate: isEstimate = false }: Counted): string {
  if (isEstimate && count === 0) return 'hardly any';
  return `${isEstimate ? 'about ' : ''}${count.toLocaleString('en')}`;
}
