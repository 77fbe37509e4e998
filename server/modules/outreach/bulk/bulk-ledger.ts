import { sql } from 'kysely';
import { fillTemplate } from '#contracts/template.ts';
import { leftTexts } from '#server/modules/outreach/recipients/index.ts';
import type { Ledger } from '#server/modules/outreach/recipients/index.ts';
import { languageOfNumber } from '#server/modules/audience/profiles/index.ts';
import { hasWords } from '#server/platform/db/list-page.ts';

/** The language of a row `r`: its column of that name, else that of the profile with its number. */
export const languageOfRow = sql<string | null>`
  coalesce(nullif(btrim(r.fields ->> 'language'), ''), ${languageOfNumber(sql`r.account_id`, sql`r.phone`)})`;

/** An entry for each row of the file: its recipient and the values of its message stand in the row itself. */
export const bulkLedger: Ledger = {
  name: 'bulk_run',
  entries: 'bulk_run_rows',
  tallies: 'bulk_run_tallies',
  source: 'bulk_run_id',
  key: 'row_number',
  profileId: sql`null::bigint`,
  hasWords: (search) => hasWords(sql`coalesce(fields ->> 'name', '')`, search),
  recipientOf: ({ accountId, sourceId }) => sql`
    select r.row_number as id, r.phone, r.country as country_code, null::text as name, null::text as email,
           'active' as status, true as phone_is_valid, r.fields as custom_fields, true as is_member,
           ${languageOfRow} as language
      from bulk_run_rows r
     where r.account_id = ${accountId} and r.bulk_run_id = ${sourceId} and r.row_number = e.entry_key
     limit 1`,
  fill: (template, { custom_fields: fields }) => fillRow(template, fields ?? {}),
  originOf: (bulkRunId) => ({ bulkRunId }),
  sourceIdOf: (message) => message.bulk_run_id,
  entryOfMessage: sql`e.account_id = m.account_id and e.bulk_run_id = m.source_id and e.message_id = m.id`,
  onHandOver: ({ now }) => sql`, changed_at = ${now}`,
  onRecall: sql`, changed_at = null`,
  onSettle: sql`, changed_at = n.at`,
  noLongerMatches: leftTexts.row,
};

/** A placeholder names a column of the file, in any capitals. */
export function fillRow(template: string, fields: Readonly<Record<string, unknown>>): string {
  return fillTemplate(template, (path) => {
    const name = path.toLowerCase();
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  });
}
