import { isLidUser } from 'baileys';
import type { WASocket } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';

/** WhatsApp issues trusted-contact tokens anew every seven days. */
const bucketSeconds = 7 * 24 * 60 * 60;

/**
 * Baileys issues a token to a contact with every message, since what it remembers of the last time is written into a
 * transaction that is over. Written here once the message is out, it counts: once a week.
 */
export async function rememberTokenIssued(
  { authState, signalRepository }: Pick<WASocket, 'authState' | 'signalRepository'>,
  jid: string,
  clock: Clock,
): Promise<void> {
  const owner = isLidUser(jid) ? jid : ((await signalRepository.lidMapping.getLIDForPN(jid)) ?? jid);
  const { [owner]: entry } = await authState.keys.get('tctoken', [owner]);
  const seconds = Math.floor(clock.now().getTime() / 1000);
  const bucketOf = (time: number) => Math.floor(time / bucketSeconds);
  const issued = entry?.senderTimestamp;
  if (issued !== undefined && bucketOf(issued) >= bucketOf(seconds)) return;
  await authState.keys.set({
    tctoken: { [owner]: { token: Buffer.alloc(0), ...entry, senderTimestamp: seconds } },
  });
}
