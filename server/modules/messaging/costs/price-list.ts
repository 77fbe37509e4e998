import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { CsvError } from '#contracts/csv-error.ts';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { listMessagePrices as contract, MessagePrice } from '#contracts/prices.ts';
import { withoutFormulaGuard } from '#contracts/formula-guard.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { readCsv } from '#server/platform/csv/read-csv.ts';
import { csvRecord } from '#server/platform/csv/write-csv.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { localDay } from '#server/platform/wall-clock.ts';
import { lockAccount } from '#server/modules/identity/accounts/index.ts';
import { shortened } from './estimate-cost.ts';

const maxFileBytes = 2 * 1024 * 1024;
const maxRows = 20_000;
const limits = { maxCellLength: 200, maxCells: 50 };

const columns = ['country', 'category', 'currency', 'price', 'valid_from'] as const;
type Column = (typeof columns)[number];

type GivenPrice = Omit<MessagePrice, 'valid_until'>;

export async function listMessagePrices(
  ctx: AccountContext,
  { page, pageSize, ...of }: EndpointInput<typeof contract>['query'],
): Promise<EndpointResponse<typeof contract>> {
  const country = of.country ?? null;
  const category = of.category ?? null;
  const asked = sql`message_price_list
     where account_id = ${ctx.account.id} and (${country}::text is null or country = ${country})
       and (${category}::text is null or category = ${category})`;
  const { rows } = await sql<MessagePrice>`
    select country, category, currency, price::text as price, valid_from::text as valid_from,
           (lag(valid_from) over (partition by country, category order by valid_from desc) - 1)::text as valid_until
      from ${asked}
     order by country, category, valid_from desc
     limit ${pageSize} offset ${(page - 1) * pageSize}
  `.execute(ctx.db);
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${asked}`.execute(ctx.db);
  const data = rows.map((row) => ({ ...row, price: shortened(row.price) }));
  return { data, total: counted.rows[0]?.total ?? 0, page, pageSize };
}

/** The whole list, which has a bound, with the columns of a replacement. */
export async function exportMessagePrices(ctx: AccountContext): Promise<Readable> {
  const { rows } = await sql<GivenPrice>`
    select country, category, currency, price::text as price, valid_from::text as valid_from from message_price_list
     where account_id = ${ctx.account.id} order by country, category, valid_from
  `.execute(ctx.db);
  const records = rows.map((row) => csvRecord(columns.map((column) => valueIn(row, column))));
  return Readable.from([csvRecord(columns), ...records], { objectMode: false });
}

const valueIn = (row: GivenPrice, column: Column) => (column === 'price' ? shortened(row.price) : row[column]);

/** Replaces the whole list, or nothing of it. Throws 422 `invalid_csv` with the line, 413 `file_too_large`. */
export async function replaceMessagePrices(
  ctx: AccountContext,
  file: AsyncIterable<Uint8Array>,
): Promise<{ prices: number }> {
  const prices = await readPrices(file, localDay(ctx.clock.now(), ctx.account.timezone));
  await inTransaction(ctx, async (tx) => {
    // Two lists that come at once take each other's place, one after the other.
    await lockAccount(tx, tx.account.id);
    await tx.db.deleteFrom('message_price_list').where('account_id', '=', tx.account.id).execute();
    await sql`
      insert into message_price_list (account_id, country, category, currency, price, valid_from)
      select ${tx.account.id}::bigint, x.country, x.category, x.currency, x.price, x.valid_from
        from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb)
               as x (country text, category text, currency text, price numeric, valid_from date)
    `.execute(tx.db);
  });
  return { prices: prices.length };
}

async function readPrices(file: AsyncIterable<Uint8Array>, today: string): Promise<GivenPrice[]> {
  const prices = new Map<string, GivenPrice>();
  let places: Map<Column, number> | undefined;
  let line = 0;
  try {
    for await (const { cells, problem } of readCsv(withinSize(file), limits)) {
      line += 1;
      if (problem !== undefined) throw new CsvError(`Line ${line}: ${problem}`);
      if (!places) {
        places = placesOf(cells);
        continue;
      }
      if (line > maxRows) throw tooLarge(`A price list may have at most ${maxRows.toLocaleString('en')} rows`);
      const price = readPrice((column) => withoutFormulaGuard(cells[places?.get(column) ?? -1] ?? '').trim(), today);
      if (typeof price === 'string') throw new CsvError(`Line ${line}: ${price}`);
      const key = `${price.country} ${price.category} ${price.valid_from}`;
      if (prices.has(key))
        throw new CsvError(`Line ${line}: this country and category have a price of that day already`);
      prices.set(key, price);
    }
  } catch (error) {
    throw error instanceof CsvError ? new ProblemError(422, 'invalid_csv', error.message) : error;
  }
  if (!places) throw new ProblemError(422, 'invalid_csv', 'CSV appears empty or invalid');
  return [...prices.values()];
}

function placesOf(header: readonly string[]): Map<Column, number> {
  const names = header.map((cell) => cell.trim().toLowerCase());
  const places = new Map(
    columns.flatMap((column) => (names.includes(column) ? [[column, names.indexOf(column)]] : [])),
  );
  const missing = columns.filter((column) => column !== 'valid_from' && !places.has(column));
  if (missing.length > 0) throw new CsvError(`The column ${missing.join(', ')} is missing`);
  return places;
}

/** The price of a line, or what is wrong with it. */
function readPrice(textOf: (column: Column) => string, today: string): GivenPrice | string {
  const country = textOf('country').toUpperCase();
  const category = textOf('category').toLowerCase().replaceAll('-', '_');
  const currency = textOf('currency').toUpperCase();
  const price = textOf('price');
  const validFrom = textOf('valid_from') || today;
  if (!/^([A-Z]{2}|\*)$/.test(country)) return 'a country is two letters, or * for all others';
  if (!isKnownCountry(country))
    return `no country has the code ${country} (ISO 3166), such as GB for the United Kingdom`;
  if (!/^[a-z_]{1,40}$/.test(category)) return 'the category is missing, such as marketing';
  if (!/^[A-Z]{3}$/.test(currency)) return 'a currency is three letters, such as EUR';
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(price)) return 'a price is a number with a point, such as 0.0520';
  if (!isDay(validFrom)) return 'valid_from is a day such as 2026-11-30';
  return { country, category, currency, price, valid_from: validFrom };
}

/** Countries of ISO 3166 without numbers of their own: whole lists have them. */
const withoutNumbers = ['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM'];

/** A price for any other would never be found. */
const isKnownCountry = (country: string) =>
  country === '*' || isSupportedCountry(country) || withoutNumbers.includes(country);

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const tooLarge = (message: string) => new ProblemError(413, 'file_too_large', message);

async function* withinSize(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of file) {
    size += part.length;
    if (size > maxFileBytes) throw tooLarge('A price list may have at most 2 MiB');
    yield part;
  }
}
