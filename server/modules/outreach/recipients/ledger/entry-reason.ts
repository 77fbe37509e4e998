import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EntryCode } from '#contracts/skip-codes.ts';
import { hasSkipCode, skipCode } from '../skip-reason.ts';
import type { SourceEntries } from './entry-status.ts';

/** Of failures whose message is gone, and of entries that were left without a reason. */
export const unknownReason = 'The reason is not known';
export const endedReason = 'It was ended before';

/** Over the entries' table: failed or skipped for a reason that the report counts under this code. */
export function hasCode(source: SourceEntries, code: EntryCode | 'none'): RawBuilder<boolean> {
  const failed = factOfMessage(source, 'error_code');
  if (code === 'none') return sql`status = 'failed' and ${failed} is null`;
  const wasLeft = source.brokenOff !== undefined && skipCode(source.brokenOff) === code;
  return sql`(status = 'failed' and ${failed} = ${code} or status = 'skipped' and ${hasSkipCode(code)}
              ${wasLeft ? sql`or status = 'waiting'` : sql``})`;
}

/** Over the entries' table: failed or skipped with the sentence that the report has. */
export const hasReason = (source: SourceEntries, reason: string): RawBuilder<boolean> => sql`
  case status when 'failed' then coalesce(reason, ${factOfMessage(source, 'error')}, ${unknownReason})
              when 'skipped' then coalesce(reason, ${endedReason})
              when 'waiting' then ${source.brokenOff ?? null} end = ${reason}`;

const factOfMessage = ({ ledger, accountId }: SourceEntries, column: 'error' | 'error_code') => sql`
  (select ${sql.ref(`m.${column}`)} from messages m
    where m.account_id = ${accountId} and m.id = ${sql.ref(`${ledger.entries}.message_id`)} limit 1)`;
