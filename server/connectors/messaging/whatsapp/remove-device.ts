import { S_WHATSAPP_NET } from 'baileys';
import type { WASocket } from 'baileys';
import type { Logger } from '#server/platform/logger.ts';

const answerTimeoutMs = 3_000;

/** Takes this device off the account and waits for WhatsApp's word, which Baileys' own `logout` does not. */
export async function removeDevice(sock: WASocket, logger: Logger): Promise<void> {
  const attrs = { jid: sock.user?.id ?? '', reason: 'user_initiated' };
  const request = {
    tag: 'iq',
    attrs: { to: S_WHATSAPP_NET, type: 'set', xmlns: 'md' },
    content: [{ tag: 'remove-companion-device', attrs }],
  };
  await sock.query(request, answerTimeoutMs).catch((error: unknown) => {
    logger.warn({ reason: error instanceof Error ? error.message : '' }, 'WhatsApp did not confirm a sign-out');
  });
}
