import { setTimeout as delay } from 'node:timers/promises';
import { isLidUser, isPnUser } from 'baileys';
import type { BinaryNode, WASocket } from 'baileys';

const maxTries = 8;
const firstPauseMs = 500;
const longestPauseMs = 30_000;

export const isRetryRequest = ({ tag, attrs }: BinaryNode): boolean => tag === 'receipt' && attrs.type === 'retry';

/**
 * Resolves once the keys are there with which a message can be encrypted anew for whoever asks for it again. Baileys
 * confirms such a request however its answer went, and the recipient would wait for the message for ever; one that is
 * not confirmed comes again with the next connection. Rejects when this one ends first.
 */
export async function untilAnswerable(
  { attrs }: BinaryNode,
  socket: Pick<WASocket, 'assertSessions'>,
  signal: AbortSignal,
): Promise<void> {
  const asker = attrs.participant ?? attrs.from ?? '';
  if (!isPnUser(asker) && !isLidUser(asker)) return;
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      await socket.assertSessions([asker], true);
      return;
    } catch {
      await delay(Math.min(longestPauseMs, firstPauseMs * 2 ** tries), undefined, { signal });
    }
  }
}
