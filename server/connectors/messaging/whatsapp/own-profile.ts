import { jidNormalizedUser, S_WHATSAPP_NET } from 'baileys';
import type { WASocket } from 'baileys';
import type { PhoneQuestion } from '../port.ts';

type Change = Extract<PhoneQuestion, { kind: 'profile' }>['change'];
type Live = { sock: WASocket };

export const ownJid = (sock: Pick<WASocket, 'authState'>): string => jidNormalizedUser(sock.authState.creds.me?.id);

/** Changes how the account is shown; rejects where WhatsApp refuses any of it. */
export async function changeProfile({ sock }: Live, { name, about, photo }: Change): Promise<void> {
  if (about !== undefined) await sock.updateProfileStatus(about ?? '');
  if (photo !== undefined) await changePhoto(sock, photo);
  if (name === undefined) return;
  await sock.updateProfileName(name);
  // Own changes come back to other devices alone; with the new credentials Baileys says the name to WhatsApp.
  const { me } = sock.authState.creds;
  if (me) sock.ev.emit('creds.update', { me: { ...me, name } });
}

/** Baileys' own would decode the picture again, in this process; without one it is taken away. */
async function changePhoto(sock: WASocket, photo: string | null): Promise<void> {
  const attrs = { to: S_WHATSAPP_NET, type: 'set', xmlns: 'w:profile:picture' };
  const content =
    photo === null ? [] : [{ tag: 'picture', attrs: { type: 'image' }, content: Buffer.from(photo, 'base64') }];
  await sock.query({ tag: 'iq', attrs, ...(content.length > 0 && { content }) });
}
