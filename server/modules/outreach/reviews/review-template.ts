import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Review } from '#contracts/reviews.ts';
import { partOf, variablesOf } from '#contracts/whatsapp-template-parts.ts';
import { fillBinding, presentBinding, templateFor } from '#server/modules/messaging/whatsapp-templates/index.ts';
import type { BoundSource } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { blanks, filledSql } from './placeholder-sql.ts';

/** The longest value of a variable that the network takes. */
const maxValue = 1024;

/** Why a bound template does not go to a recipient, as `fillBinding` decides; null where it does. */
export function templateSkipSql(
  { binding, templates }: BoundSource,
  textOf: (path: string) => RawBuilder<string>,
): RawBuilder<string | null> {
  const row = templates.get(binding.language);
  const texts = (row ? variablesOf(row) : []).flatMap(({ name }) => binding.variables[name] ?? []);
  const reasons = texts.map(({ text, default: instead }) => {
    const filled = filledSql(text, textOf);
    const isMissing = instead === null ? sql`btrim(${filled}, ${blanks}) = ''` : sql`false`;
    return sql`when ${isMissing} then 'variable_missing' when char_length(${filled}) > ${maxValue} then 'message_too_long'`;
  });
  return reasons.length === 0 ? sql<null>`null` : sql<string | null>`case ${sql.join(reasons, sql` `)} end`;
}

/** Recipients with one language of their own, null for none. */
export type LanguageGroup = { language: string | null; country: string | null; count: number };

/** The part of a review that is about its template. */
export function presentReviewedTemplate(
  bound: BoundSource | null,
  groups: readonly LanguageGroup[],
): Pick<Review, 'template' | 'languages'> {
  if (!bound) return { template: null, languages: [] };
  const counts = new Map<string, Review['languages'][number]>();
  for (const { language, count } of groups) {
    const row = templateFor(bound, language);
    if (!row) continue;
    const known = counts.get(row.language) ?? { language: row.language, status: row.status, count: 0 };
    counts.set(row.language, { ...known, count: known.count + count });
  }
  const languages = [...counts.values()].toSorted((a, b) => b.count - a.count || (a.language < b.language ? -1 : 1));
  return { template: presentBinding(bound.binding), languages };
}

type Sampled = Pick<Review['samples'][number], 'message' | 'template'>;

/** The message as a sample recipient reads it; of a language that waits as it will read. */
export function templateSample(
  bound: BoundSource,
  { language, fill }: { language: string | null; fill: (text: string) => string },
): Sampled {
  const templates = new Map([...bound.templates].map(([name, row]) => [name, { ...row, status: 'approved' as const }]));
  const filled = fillBinding({ ...bound, templates }, { language, fill });
  const row = templateFor({ ...bound, templates }, language);
  if (filled.kind !== 'template' || !row) return { message: '', template: null };
  const { header, footer } = filled.template;
  const buttons = (partOf(row, 'BUTTONS')?.buttons ?? []).map(({ type, text }) => ({ type, text: text ?? type }));
  return {
    message: filled.text,
    template: { language: row.language, variables: filled.values, header, footer, buttons },
  };
}
