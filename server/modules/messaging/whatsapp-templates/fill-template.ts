import { sql } from 'kysely';
import type { OutgoingMedia, OutgoingTemplate } from '#contracts/message-content.ts';
import type { SentTemplate } from '#contracts/new-message.ts';
import { nearestName } from '#contracts/nearest-name.ts';
import {
  headerMediaOf,
  partOf,
  renderTemplate,
  sentComponents,
  variablesOf,
} from '#contracts/whatsapp-template-parts.ts';
import type { HeaderMedia } from '#contracts/whatsapp-template-parts.ts';
import type { ProjectContext } from '#server/context.ts';
import { InvalidInputError, ProblemError } from '#server/platform/errors.ts';
import type { TemplateRow } from './present.ts';

type Fault = { path: string; message: string };

/** Finds the file of a header, or says what is wrong with it. */
type HoldMedia = (mediaId: string, type: HeaderMedia) => Promise<OutgoingMedia | { fault: string }>;

const maxParameter = 1024;

/**
 * The template that a request names, with its variables filled. Throws 422 where the project's numbers have no such
 * template or a variable is missing, and 422 `template_refused` for one that cannot be sent now.
 */
export async function fillTemplate(
  ctx: ProjectContext,
  wanted: SentTemplate,
  holdMedia: HoldMedia,
): Promise<{ text: string; template: OutgoingTemplate }> {
  const row = await findTemplate(ctx, wanted);
  const faults = faultsOf(row, wanted);
  const type = headerMediaOf(row);
  const file = type && wanted.header_media ? await holdMedia(wanted.header_media.id, type) : undefined;
  if (file && 'fault' in file) faults.push({ path: 'template.header_media.id', message: file.fault });
  if (faults.length > 0) throw new InvalidInputError(faults);
  if (row.status !== 'approved') throw notSendable(row);
  const { header, body, footer, buttons } = renderTemplate(row, wanted.variables);
  return {
    text: body,
    template: {
      name: row.name,
      language: row.language,
      category: row.category,
      header,
      footer,
      buttons,
      business_account_id: row.business_account_id,
      components: sentComponents(row, wanted.variables),
      header_media: type && file && !('fault' in file) ? { type, media: file } : null,
    },
  };
}

const statusWords: Readonly<Record<Exclude<TemplateRow['status'], 'approved'>, string>> = {
  pending: 'is not approved yet',
  rejected: 'was rejected',
  paused: 'is paused',
  disabled: 'is disabled for good',
  other: 'cannot be sent now',
};

function notSendable({ name, language, status, reason }: TemplateRow): ProblemError {
  const words = status === 'approved' ? '' : statusWords[status];
  const why = reason === null ? '' : `: ${reason}`;
  return new ProblemError(422, 'template_refused', `The template ${name} (${language}) ${words}${why}`);
}

/** Of the business accounts of the project's numbers; an approved one first. */
async function findTemplate(ctx: ProjectContext, { name, language }: SentTemplate): Promise<TemplateRow> {
  const { rows } = await sql<TemplateRow>`
    select t.* from whatsapp_templates t
     where t.account_id = ${ctx.account.id}
       and t.business_account_id in (select n.business_account_id from cloud_numbers n
                                       join phones p on p.account_id = n.account_id and p.id = n.phone_id
                                      where n.account_id = ${ctx.account.id} and p.project_id = ${ctx.project.id})
     order by t.status <> 'approved', t.id
  `.execute(ctx.db);
  const sameName = rows.filter((row) => row.name === name);
  const wanted = language.replaceAll('-', '_').toLowerCase();
  const found = sameName.find((row) => row.language.toLowerCase() === wanted);
  if (found) return found;
  if (sameName.length > 0) {
    const languages = sameName.map((row) => row.language).join(', ');
    throw new InvalidInputError([
      { path: 'template.language', message: `The template ${name} exists in ${languages}` },
    ]);
  }
  const near = nearestName(name, [...new Set(rows.map((row) => row.name))]);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  const message = `The numbers of this project have no template ${name}.${hint}`;
  throw new InvalidInputError([{ path: 'template.name', message }]);
}

function faultsOf(row: TemplateRow, { variables, header_media: file }: SentTemplate): Fault[] {
  const known = variablesOf(row).map(({ name }) => name);
  const faults = known.flatMap((name): Fault[] => {
    const fault = variableFault(variables[name]);
    return fault === undefined ? [] : [{ path: `template.variables.${name}`, message: fault }];
  });
  for (const name of Object.keys(variables).filter((each) => !known.includes(each))) {
    const message = known.length === 0 ? 'The template has no variables' : `The template has ${known.join(', ')}`;
    faults.push({ path: `template.variables.${name}`, message });
  }
  const type = headerMediaOf(row);
  if (type && !file) faults.push({ path: 'template.header_media', message: `The header needs a file of type ${type}` });
  if (!type && file) faults.push({ path: 'template.header_media', message: 'The header takes no file' });
  if (partOf(row, 'HEADER')?.format?.toUpperCase() === 'LOCATION')
    faults.push({ path: 'template.name', message: 'A template with a place in its header cannot be sent from here' });
  return faults;
}

/** The network takes no line breaks, tabs or more than four spaces in a row. */
function variableFault(value: string | undefined): string | undefined {
  if (value === undefined || value.trim() === '') return 'Enter a value for this variable';
  if (value.length > maxParameter) return `Use at most ${maxParameter} characters`;
  if (/[\n\r\t]| {5}/.test(value)) return 'Use no line breaks, no tabs and at most four spaces in a row';
  return undefined;
}
