import { z } from 'zod';
import { cleanName, dateOfSeconds, isStorableId } from '../network-values.ts';
import type { Peer } from '../port.ts';
import { fieldsOf, items, stringOf } from './loose-values.ts';
import type { CloudNews } from './news.ts';

const text = z.string();
const Seconds = z.coerce.number();
const word = text.optional().catch(undefined);

/** A user id alone names those who hide their number. */
export function personOf({
  number,
  userId,
}: {
  number: string | undefined;
  userId: string | undefined;
}): Peer | undefined {
  const lid = userId !== undefined && isStorableId(userId) ? userId : undefined;
  if (number !== undefined && /^\d{5,15}$/.test(number)) return { number, ...(lid !== undefined && { lid }) };
  return lid === undefined ? undefined : { lid };
}

const Preference = z.object({
  wa_id: word,
  user_id: word,
  category: z.literal('marketing_messages'),
  value: z.enum(['stop', 'resume']),
  timestamp: Seconds.catch(0),
});

/** Source: developers.facebook.com/docs/whatsapp/cloud-api/webhooks/reference/user_preferences. */
export function readPreferences(value: Record<string, unknown>, now: Date): CloudNews[] {
  return items.parse(value['user_preferences']).map((raw) => {
    const read = Preference.safeParse(raw);
    const peer = read.data && personOf({ number: read.data.wa_id, userId: read.data.user_id });
    if (!peer) return { kind: 'unreadable', reason: 'A preference of nobody, or of an unknown kind' };
    const { value: wish, timestamp } = read.data;
    return { kind: 'preference', peer, isStopped: wish === 'stop', at: dateOfSeconds(timestamp, now) };
  });
}

const OfNumber = z.object({ metadata: z.object({ phone_number_id: text }) });

/** The number that a change is about; undefined where it names none. */
const numberIdOf = (value: unknown) => OfNumber.safeParse(value).data?.metadata.phone_number_id;

const StateSync = z.object({
  type: z.literal('contact'),
  action: text,
  contact: z.object({ full_name: word, first_name: word, phone_number: word, user_id: word }),
  metadata: z.object({ timestamp: Seconds.catch(0) }).catch({ timestamp: 0 }),
});

/**
 * The address book of a Business app: a new entry and an edited one are added, and one is removed.
 * Source: developers.facebook.com/docs/whatsapp/cloud-api/webhooks/reference/smb_app_state_sync.
 */
export function readAddressBook(value: Record<string, unknown>, now: Date): CloudNews[] {
  const phoneNumberId = numberIdOf(value);
  if (phoneNumberId === undefined) return [{ kind: 'unreadable', reason: 'An address book names no phone number ID' }];
  const unreadable: CloudNews[] = [];
  const names = items.parse(value['state_sync']).flatMap((raw) => {
    const read = StateSync.safeParse(raw);
    const { contact } = read.data ?? {};
    const peer = contact && personOf({ number: digitsOf(contact.phone_number), userId: contact.user_id });
    if (!read.data || !contact || !peer) {
      unreadable.push({ kind: 'unreadable', reason: 'An entry of an address book of nobody' });
      return [];
    }
    const name = cleanName(contact.full_name) ?? cleanName(contact.first_name) ?? null;
    const { action, metadata } = read.data;
    return [{ peer, name: action === 'remove' ? null : name, at: dateOfSeconds(metadata.timestamp, now) }];
  });
  return [...(names.length > 0 ? [{ kind: 'names' as const, phoneNumberId, names }] : []), ...unreadable];
}

const digitsOf = (number: string | undefined) => number?.replace(/[^\d]/g, '');

const UserIdUpdate = z.object({
  wa_id: word,
  user_id: z.object({ previous: text, current: text }),
});

/** Somebody's user id is another one now. Newer webhooks bring it as a system message: see `readMoved`. */
export function readUserIds(value: Record<string, unknown>): CloudNews[] {
  const phoneNumberId = numberIdOf(value);
  if (phoneNumberId === undefined) return [{ kind: 'unreadable', reason: 'A new user ID names no phone number ID' }];
  return items.parse(value['user_id_update']).map((raw): CloudNews => {
    const read = UserIdUpdate.safeParse(raw);
    const from = read.data && personOf({ number: undefined, userId: read.data.user_id.previous });
    const to = read.data && personOf({ number: read.data.wa_id, userId: read.data.user_id.current });
    return from && to
      ? { kind: 'moved', phoneNumberId, from, to }
      : { kind: 'unreadable', reason: 'A user ID of nobody' };
  });
}

const System = z.object({
  type: z.enum(['user_changed_number', 'user_changed_user_id']),
  wa_id: word,
  user_id: word,
  previous_user_id: word,
});

/**
 * A system message that somebody has another number or user id; undefined for other messages.
 * Source: developers.facebook.com/docs/whatsapp/cloud-api/webhooks/reference/messages/system.
 */
export function readMoved(raw: unknown, phoneNumberId: string): CloudNews | undefined {
  const message = fieldsOf(raw);
  const system = System.safeParse(message['system']);
  if (message['type'] !== 'system' || !system.success) return undefined;
  const { wa_id: number, user_id: userId, previous_user_id: previous } = system.data;
  const from = personOf({ number: stringOf(message['from']) || undefined, userId: previous });
  const to = personOf({ number, userId });
  return from && to ? { kind: 'moved', phoneNumberId, from, to } : { kind: 'unreadable', reason: 'A move of nobody' };
}
