import { Readable } from 'node:stream';
import type { Message } from '#contracts/messages.ts';
import type { AccountOrProjectContext } from '#server/context.ts';
import { pagedCsv } from '#server/platform/csv/paged-csv.ts';
import { presentMessage } from '../present.ts';
import { readMatching } from './matching-messages.ts';
import type { MessageFilter } from './matching-messages.ts';

const columns = [
  'id',
  'created_at',
  'direction',
  'status',
  'type',
  'from',
  'to',
  'message',
  'error',
  'error_code',
  'send_at',
  'sent_at',
  'delivered_at',
  'read_at',
  'source',
  'project_id',
  'phone_id',
  'profile_id',
  'campaign_id',
  'flow_id',
  'metadata',
] as const satisfies readonly (keyof Message)[];

const rowsPerRead = 200;

/** CSV of the messages that match, newest first, read from the database as it is taken. */
export async function exportMessages(ctx: AccountOrProjectContext, filter: MessageFilter): Promise<Readable> {
  const csv = pagedCsv({
    header: columns,
    rowsPerRead,
    read: (after, limit) => readMatching(ctx, filter, { after, limit }),
    keyOf: ({ id }) => id,
    cellsOf: (row) => cellsOf(presentMessage(row)),
  });
  return Readable.from(csv, { objectMode: false });
}

const cellsOf = (message: Message) =>
  columns.map((column) => {
    const value = message[column];
    if (value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
