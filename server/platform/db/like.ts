import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** A text as it stands in the pattern of a LIKE: none of its characters is a wildcard. */
export const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** The pattern of a LIKE for what has the text anywhere in it. */
export const partOf = (text: string) => `%${escapeLike(text)}%`;

/** Whether a text has another one in it, whatever their case and accents. */
export const hasPart = (text: RawBuilder<unknown>, part: string): RawBuilder<boolean> =>
  sql<boolean>`fold_text(${text}) like fold_text(${partOf(part)})`;
