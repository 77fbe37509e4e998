/** A count that may have been taken among some people alone; the server of the release before does not say. */
export type Counted = { count: number; is_estimate?: boolean | undefined };

export const countedText = ({ count, is_estimate: isEstimate = false }: Counted): string =>
  `${isEstimate ? 'about ' : ''}${count.toLocaleString('en')}`;
