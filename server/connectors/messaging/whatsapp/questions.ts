import { jidDecode, jidEncode } from 'baileys';
import type { BinaryNode, WASocket } from 'baileys';
import type { Agent } from 'node:http';
import { cleanName, cleanText } from '../network-values.ts';
import { lidOf } from '../port.ts';
import type { PhoneAnswer, PhoneQuestion } from '../port.ts';
import { isBoom } from './boom.ts';
import { LookUpsPausedError } from './look-up-breaker.ts';
import type { Connection } from './open-connection.ts';
import { changeProfile, ownJid } from './own-profile.ts';
import { openUrl } from './proxy/open-file.ts';

const maxAboutLength = 700;
const maxPhotoBytes = 64 * 1024;
const photoMs = 8_000;
/** Shown to nobody, or not to this account. */
const hidden = [401, 403, 404];

type Asked<K> = Extract<PhoneQuestion, { kind: K }>;

/** How pictures are fetched. */
export type PhotoWay = { mediaOrigin: string; agent: Agent | undefined; signal: AbortSignal };

/** Asks WhatsApp over this connection. Never rejects. */
export async function answerQuestion(
  connection: Connection | undefined,
  question: PhoneQuestion,
  way: PhotoWay,
): Promise<PhoneAnswer> {
  if (!connection?.isOpen) return refused('phone_silent', 'The phone is not connected. Try again in a minute.');
  try {
    switch (question.kind) {
      case 'check':
        return await check(connection, question);
      case 'contact':
        return await describe(connection, question, way);
      case 'block':
        return await block(connection, question);
      case 'profile':
        await changeProfile(connection.live, question.change);
        return {
          kind: 'answered',
          to: 'profile',
          ...(await readProfile(connection.live.sock, question.change.name, way)),
        };
    }
  } catch (error) {
    if (error instanceof LookUpsPausedError) {
      const reason = 'WhatsApp answers no questions about numbers for now';
      return { kind: 'refused', code: 'look_ups_paused', reason, until: error.until.toISOString() };
    }
    if (isBoom(error) && codeOf(error) >= 400 && codeOf(error) < 500)
      return refused('network_refused', `WhatsApp refused it (error ${codeOf(error)})`);
    return refused('phone_silent', 'WhatsApp did not answer. Try again in a minute.');
  }
}

async function check({ recipients }: Connection, { number }: Asked<'check'>): Promise<PhoneAnswer> {
  const found = await recipients.check(number);
  return {
    kind: 'answered',
    to: 'check',
    exists: found !== undefined,
    number: found?.number ?? number,
    lid: found?.lid ?? null,
  };
}

type Person = { jid: string; number: string | null; lid: string | null };

/** Nobody known by the LID alone is looked up: they have written. */
async function findPerson({ recipients }: Connection, written: string): Promise<Person | undefined> {
  const lid = lidOf(written);
  if (lid !== undefined) return { jid: jidEncode(lid, 'lid'), number: null, lid };
  const found = await recipients.check(written);
  return found && { jid: jidEncode(found.number, 's.whatsapp.net'), ...found };
}

async function describe(connection: Connection, { number }: Asked<'contact'>, way: PhotoWay): Promise<PhoneAnswer> {
  const { sock } = connection.live;
  const found = await findPerson(connection, number);
  if (!found) return notOnWhatsApp;
  const blocked = (await sock.fetchBlocklist()).map((each) => jidDecode(each)?.user);
  return {
    kind: 'answered',
    to: 'contact',
    number: found.number,
    lid: found.lid,
    ...(await shownOf(sock, found.jid, way)),
    is_blocked: [found.number, found.lid].some((user) => user !== null && blocked.includes(user)),
  };
}

async function readProfile(sock: WASocket, changed: string | undefined, way: PhotoWay) {
  const name = cleanName(changed ?? sock.authState.creds.me?.name) ?? null;
  return { name, ...(await shownOf(sock, ownJid(sock), way)) };
}

async function block(connection: Connection, { number, isBlocked }: Asked<'block'>): Promise<PhoneAnswer> {
  const { sock } = connection.live;
  const found = await findPerson(connection, number);
  if (!found) return notOnWhatsApp;
  const action = isBlocked ? 'block' : 'unblock';
  // Baileys blocks nobody whose number is hidden; the official client names the LID alone then.
  if (found.number === null) await sock.query(blockOf(found.jid, action));
  else await sock.updateBlockStatus(found.jid, action);
  return { kind: 'answered', to: 'block' };
}

const blockOf = (jid: string, action: string): BinaryNode => ({
  tag: 'iq',
  attrs: { xmlns: 'blocklist', to: 's.whatsapp.net', type: 'set' },
  content: [{ tag: 'item', attrs: { action, jid } }],
});

/** The about and the small picture of somebody, or of the account itself. */
async function shownOf(
  sock: Pick<WASocket, 'fetchStatus' | 'profilePictureUrl'>,
  jid: string,
  way: PhotoWay,
): Promise<{ about: string | null; photo: string | null }> {
  const [told] = (await unlessHidden(sock.fetchStatus(jid))) ?? [];
  const url = await unlessHidden(sock.profilePictureUrl(jid, 'preview'));
  const photo = url === undefined ? undefined : await fetchPhoto(url, way).catch(() => undefined);
  return { about: aboutOf(told?.status), photo: photo?.toString('base64') ?? null };
}

/** As Baileys reads the answer to the status protocol. */
function aboutOf(told: unknown): string | null {
  const text = typeof told === 'object' && told !== null && 'status' in told ? told.status : undefined;
  return typeof text === 'string' && text !== '' ? cleanText(text, maxAboutLength) : null;
}

async function unlessHidden<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isBoom(error) && hidden.includes(codeOf(error))) return undefined;
    throw error;
  }
}

const codeOf = (error: { data?: unknown }) => Number(error.data);

/** A picture lies on WhatsApp's own servers; an address elsewhere is not fetched. */
async function fetchPhoto(address: string, { mediaOrigin, agent, signal }: PhotoWay): Promise<Buffer | undefined> {
  const url = new URL(address);
  const isTheirs = url.protocol === 'https:' && url.hostname.endsWith('.whatsapp.net');
  if (!isTheirs && url.origin !== mediaOrigin) return undefined;
  const response = await openUrl(url, { agent, signal: AbortSignal.any([signal, AbortSignal.timeout(photoMs)]) });
  const parts: Buffer[] = [];
  let size = 0;
  try {
    if (response.statusCode !== 200) return undefined;
    for await (const part of response) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size > maxPhotoBytes) return undefined;
    }
  } finally {
    response.destroy();
  }
  const photo = Buffer.concat(parts);
  return photo.subarray(0, 3).equals(jpegStart) ? photo : undefined;
}

const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);

const refused = (code: 'phone_silent' | 'network_refused', reason: string): PhoneAnswer => ({
  kind: 'refused',
  code,
  reason,
  until: null,
});

const notOnWhatsApp: PhoneAnswer = {
  kind: 'refused',
  code: 'not_on_whatsapp',
  reason: 'This number is not on WhatsApp',
  until: null,
};
