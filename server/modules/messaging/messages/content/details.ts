import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { StoredDetails, StoredSource } from '../tables.ts';

/**
 * `messages.media_source` holds three things: where the network has the file (`url`, `mediaKey` and the like), the secret
 * with which later changes are sealed, and details of kinds that have no column of their own
 * (docs/decisions/details-of-messages.md).
 */
export function sourceColumn(parts: {
  file?: Readonly<Record<string, string>>;
  secret?: string | undefined;
  details?: StoredDetails;
}): string | null {
  const { file = {}, secret, details = {} } = parts;
  const known = Object.entries(details).filter(([, value]) => value !== undefined);
  const source: StoredSource = {
    ...file,
    ...(secret !== undefined && { secret }),
    ...(known.length > 0 && { details: Object.fromEntries(known) }),
  };
  return Object.keys(source).length === 0 ? null : JSON.stringify(source);
}

/** The values that the connector needs to fetch the file. */
export function fileSourceOf({ secret: _secret, details: _details, ...file }: StoredSource): Record<string, string> {
  return Object.fromEntries(Object.entries(file).map(([name, value]) => [name, String(value)]));
}

/** The column once the file has been fetched: its key is kept no longer. */
export const withoutFileSource: RawBuilder<string | null> = sql`(
  select jsonb_object_agg(key, value) from jsonb_each(media_source) where key in ('secret', 'details'))`;
