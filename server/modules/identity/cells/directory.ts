import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';

/**
 * Each leads to an account: the e-mail of a person, as sign-in compares it; the digest of a key, or of what a link in a
 * mail or an address of a webhook ends with; an identity at a provider; a business at Meta; the ids in addresses that messages have.
 */
export type Entry =
  | { emailKey: string }
  | { keyHash: Buffer }
  | { issuer: string; subject: string }
  | { businessAccountId: string }
  | { accountId: number }
  | { linkId: number };

/** The account is at home in another cell, whose address the answer names. */
export class OtherCellError extends ProblemError {
  constructor(url: string) {
    super(421, 'other_cell', `This account is at ${url}: send the request there`, { url });
  }
}

/** As `follow-directory` makes it of rows. */
function textOf(entry: Entry): string {
  if ('emailKey' in entry) return `email ${entry.emailKey}`;
  if ('keyHash' in entry) return `key ${entry.keyHash.toString('hex')}`;
  if ('issuer' in entry) return `identity ${entry.issuer} ${entry.subject}`;
  if ('businessAccountId' in entry) return `business account ${entry.businessAccountId}`;
  return 'accountId' in entry ? `account ${entry.accountId}` : `link ${entry.linkId}`;
}

/** Writes down that these lead here, so that the other cells can say so. */
export async function noteInDirectory(ctx: NotingContext, entries: readonly Entry[]): Promise<void> {
  await noteTexts(ctx, entries.map(textOf));
}

export type NotingContext = Pick<Context, 'db' | 'secrets' | 'config'>;

export async function noteTexts({ db, secrets, config }: NotingContext, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  const fingerprints = texts.map((text) => secrets.fingerprints(text)[0]);
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
  const lead = await findLead(ctx, entry);
  if (lead && !lead.is_here) throw new OtherCellError(lead.url);
  return lead && find();
}

/** The address of the cell that has what was not found here; undefined where none has it. */
export async function findOtherCell(ctx: Context, entry: Entry): Promise<string | undefined> {
  const lead = await findLead(ctx, entry);
  return lead?.is_here === false ? lead.url : undefined;
}

async function findLead({ db, secrets, config }: Context, entry: Entry) {
  const { rows } = await sql<{ url: string; is_here: boolean }>`
    select c.url, c.name = ${config.databaseSchema} as is_here
      from cell_directory d join cells c on c.name = d.cell
     where d.fingerprint = any(${secrets.fingerprints(textOf(entry))}::bytea[]) and c.url is not null
     order by is_here desc, d.noted_at desc limit 1
  `.execute(db);
  return rows[0];
}
