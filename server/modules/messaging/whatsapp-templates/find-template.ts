import { sql } from 'kysely';
import { nearestName } from '#contracts/nearest-name.ts';
import type { Context } from '#server/context.ts';
import { InvalidInputError, ProblemError } from '#server/platform/errors.ts';
import type { TemplateRow } from './present.ts';

/** The templates of the business accounts of a project's numbers; approved ones first. */
export async function findTemplates(
  ctx: Context,
  { accountId, projectId }: { accountId: number; projectId: number },
): Promise<TemplateRow[]> {
  const { rows } = await sql<TemplateRow>`
    select t.* from whatsapp_templates t
     where t.account_id = ${accountId}
       and t.business_account_id in (select n.business_account_id from cloud_numbers n
                                       join phones p on p.account_id = n.account_id and p.id = n.phone_id
                                      where n.account_id = ${accountId} and p.project_id = ${projectId})
     order by t.status <> 'approved', t.id
  `.execute(ctx.db);
  return rows;
}

/** The one of this name and language. Throws 422 with the nearest name, or the languages that there are. */
export function pickTemplate(
  rows: readonly TemplateRow[],
  { name, language }: { name: string; language: string },
  path = 'template',
): TemplateRow {
  const sameName = rows.filter((row) => row.name === name);
  const wanted = language.replaceAll('-', '_').toLowerCase();
  const found = sameName.find((row) => row.language.toLowerCase() === wanted);
  if (found) return found;
  if (sameName.length > 0) {
    const languages = sameName.map((row) => row.language).join(', ');
    throw new InvalidInputError([{ path: `${path}.language`, message: `The template ${name} exists in ${languages}` }]);
  }
  const near = nearestName(name, [...new Set(rows.map((row) => row.name))]);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  const message = `The numbers of this project have no template ${name}.${hint}`;
  throw new InvalidInputError([{ path: `${path}.name`, message }]);
}

const statusWords: Readonly<Record<Exclude<TemplateRow['status'], 'approved'>, string>> = {
  pending: 'is not approved yet',
  rejected: 'was rejected',
  paused: 'is paused',
  disabled: 'is disabled for good',
  other: 'cannot be sent now',
};

export function notSendable({ name, language, status, reason }: TemplateRow): ProblemError {
  const words = status === 'approved' ? '' : statusWords[status];
  const why = reason === null ? '' : `: ${reason}`;
  return new ProblemError(422, 'template_refused', `The template ${name} (${language}) ${words}${why}`);
}
