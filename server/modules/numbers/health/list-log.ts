import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { PhoneLogEntry } from '#contracts/phone-health.ts';
import type { AccountContext } from '#server/context.ts';
import { assertNever } from '#server/platform/errors.ts';
import type { PhoneSignalsTable } from './tables.ts';

type LogRow = Selectable<PhoneSignalsTable>;
type Words = Pick<PhoneLogEntry, 'message' | 'effect'>;
type Page = { phoneId: number; page: number; pageSize: number };

/** A phone's log, newest first. */
export async function listLog(
  { db, account }: AccountContext,
  { phoneId, page, pageSize }: Page,
): Promise<{ data: PhoneLogEntry[]; total: number; page: number; pageSize: number }> {
  const ofPhone = db.selectFrom('phone_signals').where('account_id', '=', account.id).where('phone_id', '=', phoneId);
  const { total } = await ofPhone.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await ofPhone
    .selectAll()
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { data: rows.map(presentEntry), total, page, pageSize };
}

function presentEntry(row: LogRow): PhoneLogEntry {
  const { id, at, kind, number, until } = row;
  return { id, at: at.toISOString(), kind, ...wordsOf(row), number, until: until?.toISOString() ?? null };
}

const Detail = z.object({
  contact: z.string().optional(),
  is_queued: z.boolean().default(true),
  limit: z.string().optional(),
  is_active: z.boolean().optional(),
  reason: z.string().optional(),
  used: z.number().default(0),
  total: z.number().default(-1),
  status: z.string().nullable().optional(),
  first: z.number().default(0),
  known: z.number().default(0),
  is_up: z.boolean().default(true),
});

const count = (value: number) => value.toLocaleString('en');

/** Describes an event and its consequence; the reader formats times, as they know their own zone. */
function wordsOf({ kind, until, detail: stored }: Pick<LogRow, 'kind' | 'until' | 'detail'>): Words {
  const detail = Detail.parse(stored);
  switch (kind) {
    case 'linked':
      return {
        message: 'This number was linked.',
        effect: 'The warm-up began. Nobody new is written to for 24 hours, unless the account is older.',
      };
    case 'refused':
      return refusedWords(detail, until !== null);
    case 'time_lock':
      return detail.is_active === false
        ? { message: 'New chats are not locked.', effect: 'Nothing changed.' }
        : {
            message: 'New chats are locked.',
            effect: 'First contacts stopped. They wait ten minutes longer than WhatsApp asks.',
          };
    case 'cap':
      return capWords(detail);
    case 'locked':
      return {
        message: detail.reason ?? 'WhatsApp has locked this account for a time.',
        effect: 'Everything waits. The phone connects by itself afterwards.',
      };
    case 'look_ups_paused':
      return {
        message: 'WhatsApp answers no questions about numbers for now.',
        effect: 'Messages to numbers that it was never asked about wait.',
      };
    case 'nothing_delivered':
      return {
        message: 'None of the last ten messages was delivered.',
        effect: 'Queued messages paused for a day.',
      };
    case 'step':
      return {
        message: detail.is_up ? 'The warm-up took a step.' : 'A step of the warm-up was taken back.',
        effect: `${count(detail.first)} first contacts and ${count(detail.known)} known ones a day.`,
      };
    case 'recovered':
      return { message: 'What stopped this number is over.', effect: 'Its queued messages go on.' };
    default:
      return assertNever(kind);
  }
}

function refusedWords(detail: z.output<typeof Detail>, isLimited: boolean): Words {
  const { contact, limit, is_queued: isQueued } = detail;
  const fate = isQueued
    ? 'The message went back to its queue, it did not fail.'
    : 'The message failed: it was sent directly.';
  if (contact === 'known') {
    const effect = isLimited ? 'Everything queued stopped.' : 'This contact alone waits until it writes.';
    return {
      message: 'A message to somebody who has written to this number was refused (error 463).',
      effect: `${effect} ${fate}`,
    };
  }
  const message = 'A new chat was refused (error 463).';
  if (limit === 'refused_twice') {
    return { message, effect: `It was the second within a day: first contacts stopped for 24 hours. ${fate}` };
  }
  return {
    message,
    effect: isLimited ? `First contacts stopped. ${fate}` : `No lock was set: this contact has to write first. ${fate}`,
  };
}

function capWords({ used, total, status }: z.output<typeof Detail>): Words {
  if (total < 0) return { message: 'There is no cap on new chats.', effect: 'Nothing changed.' };
  const message = `${count(used)} of ${count(total)} new chats of this cycle are used.`;
  if (status === 'CAPPED' || used >= total) return { message, effect: 'First contacts stopped until the cycle ends.' };
  if (status === 'SECOND_WARNING') return { message, effect: 'A tenth of the first contacts go out.' };
  if (status === 'FIRST_WARNING' || used >= 0.8 * total)
    return { message, effect: 'Half of the first contacts go out.' };
  return { message, effect: 'Well below the cap.' };
}
