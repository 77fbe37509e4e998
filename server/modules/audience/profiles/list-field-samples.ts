import { sql } from 'kysely';
import { parseFieldPath } from '#contracts/field-path.ts';
import { shortenText } from '#contracts/shorten-text.ts';
import type { AccountContext } from '#server/context.ts';
import { newestInReach } from './in-reach.ts';
import { storedValue } from './list-field-values.ts';

/** So that the cost does not grow with the account. */
const sampledProfiles = 200;
const samplesPerField = 5;
const maxSampleLength = 100;

/** By path: values that the newest profiles have in these fields, as text, the newest first. Fields without any are left out. */
export async function listFieldSamples(ctx: AccountContext, paths: readonly string[]): Promise<Map<string, string[]>> {
  const read = paths.flatMap((path) => {
    const field = parseFieldPath(path);
    return field ? [sql`(${path}::text, ${storedValue(field)})`] : [];
  });
  if (read.length === 0) return new Map();
  const { rows } = await sql<{ path: string; value: unknown }>`
    with sampled as materialized (select * from ${newestInReach(ctx, sampledProfiles)})
    select each.path, each.value
      from sampled as profiles cross join lateral (values ${sql.join(read)}) as each (path, value)
     where each.value is not null and each.value not in ('null', '""', '[]')
     group by each.path, each.value
     order by max(profiles.id) desc
  `.execute(ctx.db);
  const samples = new Map<string, string[]>();
  for (const { path, value } of rows) {
    const known = samples.get(path) ?? [];
    const text = shortenText(typeof value === 'string' ? value : JSON.stringify(value), maxSampleLength);
    if (known.length < samplesPerField) samples.set(path, [...known, text]);
  }
  return samples;
}
