import type { OutgoingMedia, OutgoingTemplate } from '#contracts/message-content.ts';
import type { SentTemplate } from '#contracts/new-message.ts';
import {
  headerMediaOf,
  partOf,
  renderTemplate,
  sentComponents,
  variablesOf,
} from '#contracts/whatsapp-template-parts.ts';
import type { HeaderMedia } from '#contracts/whatsapp-template-parts.ts';
import type { ProjectContext } from '#server/context.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { findTemplates, notSendable, pickTemplate } from './find-template.ts';
import type { TemplateRow } from './present.ts';

type Fault = { path: string; message: string };

/** Finds the file of a header, or says what is wrong with it. */
type HoldMedia = (mediaId: string, type: HeaderMedia) => Promise<OutgoingMedia | { fault: string }>;

/** Of a variable, and of the whole body. */
export const maxParameter = 1024;

/**
 * The template that a request names, with its variables filled. Throws 422 where the project's numbers have no such
 * template or a variable is missing, and 422 `template_refused` for one that cannot be sent now.
 */
export async function fillTemplate(
  ctx: ProjectContext,
  wanted: SentTemplate,
  holdMedia: HoldMedia,
): Promise<{ text: string; template: OutgoingTemplate }> {
  const row = pickTemplate(await findTemplates(ctx, { accountId: ctx.account.id, projectId: ctx.project.id }), wanted);
  const faults = faultsOf(row, wanted);
  const type = headerMediaOf(row);
  const file = type && wanted.header_media ? await holdMedia(wanted.header_media.id, type) : undefined;
  if (file && 'fault' in file) faults.push({ path: 'template.header_media.id', message: file.fault });
  if (faults.length > 0) throw new InvalidInputError(faults);
  if (row.status !== 'approved') throw notSendable(row);
  return filledTemplate(row, wanted.variables, type && file && !('fault' in file) ? file : null);
}

/** The text of a message and its template, with the variables filled. */
export function filledTemplate(
  row: TemplateRow,
  values: Readonly<Record<string, string>>,
  file: OutgoingMedia | null,
): { text: string; template: OutgoingTemplate } {
  const { header, body, footer, buttons } = renderTemplate(row, values);
  const type = headerMediaOf(row);
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
      components: sentComponents(row, values),
      header_media: type && file ? { type, media: file } : null,
    },
  };
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
