/** The shape of Baileys' errors, which carry a status code. */
export type Boom = Error & { output: { statusCode: number }; data?: unknown };

export function isBoom(error: unknown): error is Boom {
  if (!(error instanceof Error) || !('output' in error)) return false;
  const { output } = error;
  return typeof output === 'object' && output !== null && 'statusCode' in output;
}
