import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { FileMissingError } from '#server/connectors/storage/port.ts';
import type { AccountContext } from '#server/context.ts';
import { exportProfiles } from '#server/modules/audience/lists/index.ts';
import { exportMessages } from '#server/modules/messaging/messages/index.ts';
import { exportSuppressions } from '#server/modules/outreach/opt-out/index.ts';
import { archivedTables, countRows, readTable } from './archived-tables.ts';

/** A file takes about as long as so many rows. */
const unitsPerFile = 20;

type Writing = {
  withFiles: boolean;
  /** Called now and then. */
  onUnits(count: number): void;
};

export async function countUnits(ctx: AccountContext, { withFiles }: { withFiles: boolean }): Promise<number> {
  let count = 0;
  for (const table of archivedTables) {
    const rows = await countRows(ctx, ctx.account.id, table);
    count += rows + (table === 'media_files' && withFiles ? rows * unitsPerFile : 0);
  }
  return count;
}

/**
 * Writes all that the account has into a ZIP, part after part, so that memory holds a page of rows or a piece of a file.
 * The stream fails with whatever a part fails with.
 */
export function writeArchive(ctx: AccountContext, writing: Writing): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: unknown) => output.destroy(error instanceof Error ? error : new Error('The archive broke off'));
  zip.once('error', fail);
  let open: Readable | undefined;
  // Of a reader that gives up, the part that is open would never end.
  output.once('close', () => open?.destroy());
  /** Resolves once the part is written: one after the other is open. */
  const add: Add = async (name, part, { compress } = { compress: true }) => {
    open = part;
    zip.addReadStream(part, name, { compress });
    await finished(part);
  };
  void addParts(ctx, zip, { ...writing, add }).then(() => zip.end(), fail);
  return output;
}

type Add = (name: string, part: Readable, options?: { compress: boolean }) => Promise<void>;
type Adding = Writing & { add: Add };

async function addParts(ctx: AccountContext, zip: ZipFile, adding: Adding): Promise<void> {
  const { add } = adding;
  zip.addBuffer(Buffer.from(readMe(ctx)), 'README.txt');
  await add('contacts.csv', await exportProfiles(ctx, {}));
  await add('messages.csv', await exportMessages({ ...ctx, project: undefined }, {}));
  await add('opt-outs.csv', await exportSuppressions(ctx));
  for (const table of archivedTables) await add(`data/${table}.jsonl`, linesOf(ctx, table, adding));
  if (adding.withFiles) await addFiles(ctx, zip, adding);
}

/** In bytes, so that no more than a page waits for whoever reads it. */
function linesOf(ctx: AccountContext, table: string, { onUnits }: Writing): Readable {
  async function* pages(): AsyncGenerator<string> {
    for await (const { count, lines } of readTable(ctx, { accountId: ctx.account.id, table })) {
      yield lines;
      onUnits(count);
    }
  }
  return Readable.from(pages(), { objectMode: false });
}

type FileRow = { id: string; file_name: string | null; mime_type: string };

async function addFiles(ctx: AccountContext, zip: ZipFile, { add, onUnits }: Adding): Promise<void> {
  const missing: string[] = [];
  for (let after = ''; ;) {
    const files = await ctx.db
      .selectFrom('media_files')
      .select(['id', 'file_name', 'mime_type', 'storage_key'])
      .where('account_id', '=', ctx.account.id)
      .where('id', '>', after)
      .where('state', '=', 'stored')
      .orderBy('id')
      .limit(200)
      .execute();
    for (const file of files) {
      const bytes = file.storage_key === null ? undefined : await openFile(ctx, file.storage_key);
      // Pictures, films and sounds are compressed already.
      if (bytes) await add(nameOf(file), bytes, { compress: false });
      else missing.push(file.id);
      onUnits(unitsPerFile);
    }
    const last = files.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  if (missing.length > 0) zip.addBuffer(Buffer.from(`${missing.join('\n')}\n`), 'files/missing.txt');
}

/** Undefined where its time ended a moment ago. */
async function openFile({ files }: AccountContext, key: string): Promise<Readable | undefined> {
  try {
    return await files.open(key);
  } catch (error) {
    if (error instanceof FileMissingError) return undefined;
    throw error;
  }
}

/** A name from outside may hold anything; the id before it makes it the only one. */
function nameOf({ id, file_name: name, mime_type: type }: FileRow): string {
  const extension = type.split(/[/;]/)[1]?.replaceAll(/[^\w.+-]/g, '') ?? 'bin';
  const safe = name
    ?.normalize()
    .replaceAll(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^\.+/, '_')
    .slice(-100);
  return `files/${id}-${safe || `file.${extension}`}`;
}

const readMe = ({ account, clock, config }: AccountContext) =>
  `Archive of account ${account.id} at ${config.publicUrl}, begun ${clock.now().toISOString()}.

contacts.csv, messages.csv, opt-outs.csv: tables for a spreadsheet, in UTF-8.
data/: everything, a file a kind, a JSON object a line. Rows name one another by their ids. Times are ISO 8601 in UTC.
files/: the files of messages, each under its id, which data/messages.jsonl has at media.id.

What changed while the archive was made may be in one file and not yet in another. Secrets, such as keys and passwords,
are left out.
`;
