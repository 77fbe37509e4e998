import type { SuppressionEvent } from '#contracts/suppressions.ts';

const byWords = { user: 'in the dashboard', api: 'by API', import: 'by import' } as const;

/** `Opted out by replying “STOP”` */
export function eventWords({ action, by, evidence }: SuppressionEvent): string {
  const what = action === 'opted_out' ? 'Opted out' : 'Opted in again';
  return by === 'reply' ? `${what} by replying “${evidence?.text ?? ''}”` : `${what} ${byWords[by]}`;
}
