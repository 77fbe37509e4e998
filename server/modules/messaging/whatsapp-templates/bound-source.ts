import type { CarriedMedia } from '#contracts/carried-media.ts';
import type { OutgoingTemplate } from '#contracts/message-content.ts';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import { renderTemplate, variablesOf } from '#contracts/whatsapp-template-parts.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { filledTemplate, maxParameter } from './fill-template.ts';
import { languageFor } from './language-for.ts';
import type { TemplateRow } from './present.ts';
import type { StoredBinding } from './tables.ts';

type Hold = { waitingFor: Extract<WaitingReason, `template_${string}`>; waitingUntil: Date | null };

/** A binding with its templates as they are now. `hold`: nothing of it may go. */
export type BoundSource = {
  binding: StoredBinding;
  /** By language; those that are gone are missing. */
  templates: ReadonlyMap<string, TemplateRow>;
  hold: Hold | null;
};

/** The message of a bound template for a person, or why there is none now. */
export type FilledBinding =
  | { kind: 'template'; text: string; template: OutgoingTemplate; values: Readonly<Record<string, string>> }
  | { kind: 'skipped'; reason: 'variable_missing' | 'message_too_long' }
  | ({ kind: 'held' } & Hold);

export async function loadBinding(
  ctx: Context,
  { accountId, binding }: { accountId: number; binding: StoredBinding },
): Promise<BoundSource> {
  const ids = binding.pinned.map(({ id }) => id);
  const { rows } = await sql<TemplateRow>`
    select * from whatsapp_templates where account_id = ${accountId} and id = any(${ids}::bigint[])
  `.execute(ctx.db);
  const templates = new Map(rows.map((row) => [row.language, row]));
  return { binding, templates, hold: holdOf(binding, templates) };
}

function holdOf(binding: StoredBinding, templates: BoundSource['templates']): Hold | null {
  const isChanged = binding.pinned.some(({ language, version }) => {
    const now = templates.get(language);
    return now !== undefined && now.version !== version;
  });
  if (isChanged) return { waitingFor: 'template_changed', waitingUntil: null };
  const main = templates.get(binding.language);
  if (!main || isOver(main)) return { waitingFor: 'template_unusable', waitingUntil: null };
  const isAnyUsable = [...templates.values()].some(({ status }) => status === 'approved');
  return isAnyUsable ? null : pauseOf(main);
}

/** Rejected, disabled or in a state that nobody knows: somebody has to do something. */
const isOver = ({ status }: TemplateRow) => status !== 'approved' && status !== 'paused' && status !== 'pending';

const pauseOf = ({ paused_until: until }: TemplateRow): Hold => ({
  waitingFor: 'template_paused',
  waitingUntil: until,
});

/** The template in the language of a person: their own where it can be sent some time, else that of the binding. */
export function templateFor({ binding, templates }: BoundSource, language: string | null): TemplateRow | undefined {
  const usable = [...templates.values()].filter((row) => !isOver(row)).map((row) => row.language);
  return templates.get(languageFor(language, usable, binding.language));
}

type Fill = (text: string) => string;

/** Networks take no line breaks, tabs or more than four spaces in a row within a variable. */
const oneLine = (text: string) =>
  text
    .replaceAll(/\s*[\n\r]+\s*/g, ' ')
    .replaceAll('\t', ' ')
    .replaceAll(/ {5,}/g, '    ')
    .trim();

export function fillBinding(
  source: BoundSource,
  { language, fill }: { language: string | null; fill: Fill },
): FilledBinding {
  const row = templateFor(source, language);
  if (!row) return { kind: 'held', waitingFor: 'template_unusable', waitingUntil: null };
  if (row.status !== 'approved') return { kind: 'held', ...pauseOf(row) };
  const values: Record<string, string> = {};
  for (const { name } of variablesOf(row)) {
    const { text, default: instead } = source.binding.variables[name] ?? { text: '', default: null };
    const value = oneLine(fill(text)) || (instead ?? '');
    if (value === '') return { kind: 'skipped', reason: 'variable_missing' };
    if (value.length > maxParameter) return { kind: 'skipped', reason: 'message_too_long' };
    values[name] = value;
  }
  const { header, body } = renderTemplate(row, values);
  if (body.length > maxParameter || (header?.length ?? 0) > maxHeader)
    return { kind: 'skipped', reason: 'message_too_long' };
  const file: CarriedMedia | null = source.binding.header_media;
  return { kind: 'template', ...filledTemplate(row, values, file), values };
}

const maxHeader = 60;
