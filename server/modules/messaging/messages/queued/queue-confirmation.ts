import type { Account, Tx } from '#server/context.ts';
import { acceptMessages } from '../accept-message.ts';

/** A text that the product sends by itself to somebody who has just written. */
type Confirmation = { account: Account; projectId: number; phoneId: number; to: string; message: string };

/**
 * Hands the confirmation of an opt-out to the phone that was written to; it goes though its recipient has opted out.
 * Answers false where that phone cannot send now, and then nothing waits.
 */
export async function queueConfirmation(
  tx: Tx,
  { account, projectId, phoneId, to, message }: Confirmation,
): Promise<boolean> {
  const content = { type: 'text' as const, text: message };
  const submission = { to, content, override_opt_out: true, key: undefined, onId: () => undefined };
  const [acceptance] = await acceptMessages(tx, { account, projectId, phoneId, source: 'opt_out' }, [submission]);
  return acceptance?.kind === 'accepted';
}
