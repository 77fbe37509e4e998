import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';

/** Either leads to an account: the e-mail of a person, as sign-in compares it, or the digest of a key. */
export type Entry = { emailKey: string } | { keyHash: Buffer };

/** The account is at home in another cell, whose address the answer names. */
class OtherCellError extends ProblemError {
  constructor(url: string) {
    super(421, 'other_cell', `This account is at ${url}: send the request there`, { url });
  }
}

const textOf = (entry: Entry) =>
  'emailKey' in entry ? `email ${entry.emailKey}` : `key ${entry.keyHash.toString('hex')}`;

export const fingerprintsOf = ({ secrets }: Pick<Context, 'secrets'>, entry: Entry) =>
  secrets.fingerprints(textOf(entry));

/** Writes down that these lead here, so that the other cells can say so. */
export async function noteInDirectory(
  { db, secrets, config }: Pick<Context, 'db' | 'secrets' | 'config'>,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return;
  const fingerprints = entries.map((entry) => fingerprintsOf({ secrets }, entry)[0]);
  await sql`
    insert into cell_directory (fingerprint, cell, noted_at)
    select distinct fingerprint, ${config.databaseSchema}, now() from unnest(${fingerprints}::bytea[]) as x (fingerprint)
     order by 1
    on conflict (fingerprint, cell) do update set noted_at = excluded.noted_at
  `.execute(db);
}

/**
 * Looks for the holder of an entry. Throws `OtherCellError` where there is none here and the entry leads to another
 * cell; looks again where it leads here, as an account may have come in between.
 */
export async function findInCells<T>(
  ctx: Context,
  entry: Entry,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await find();
  if (found !== undefined) return found;
  const { rows } = await sql<{ url: string; is_here: boolean }>`
    select c.url, c.name = ${ctx.config.databaseSchema} as is_here
      from cell_directory d join cells c on c.name = d.cell
     where d.fingerprint = any(${fingerprintsOf(ctx, entry)}::bytea[]) and c.url is not null
     order by is_here desc, d.noted_at desc limit 1
  `.execute(ctx.db);
  const [lead] = rows;
  if (lead && !lead.is_here) throw new OtherCellError(lead.url);
  return lead && find();
}
