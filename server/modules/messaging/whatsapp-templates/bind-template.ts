import { createHash } from 'node:crypto';
import type { BoundTemplate, BoundVariable, NewBoundTemplate } from '#contracts/bound-templates.ts';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import { placeholderUses, writePlaceholder } from '#contracts/template.ts';
import { headerMediaOf, partOf, renderTemplate, variablesOf } from '#contracts/whatsapp-template-parts.ts';
import type { HeaderMedia } from '#contracts/whatsapp-template-parts.ts';
import type { Context } from '#server/context.ts';
import { ConflictError, InvalidInputError } from '#server/platform/errors.ts';
import { findTemplates, notSendable, pickTemplate } from './find-template.ts';
import type { TemplateRow } from './present.ts';
import type { StoredBinding } from './tables.ts';

type Binding = {
  accountId: number;
  projectId: number;
  wanted: NewBoundTemplate;
  /** Leads to the template in the request, dotted. */
  path?: string;
  /** Finds the file of the header. Throws 422. */
  takeFile(media: { id: string; type: HeaderMedia }, path: string): Promise<CarriedMedia>;
};

/**
 * Binds a template of the project's numbers. Throws 422 where there is no such template, a variable is not bound or the
 * file is missing, 422 `template_refused` for one that cannot be sent, and 409 `template_changed` for another version
 * than was reviewed.
 */
export async function bindTemplate(
  ctx: Context,
  { accountId, projectId, wanted, path = 'template', takeFile }: Binding,
): Promise<StoredBinding> {
  const rows = await findTemplates(ctx, { accountId, projectId });
  const row = pickTemplate(rows, wanted, path);
  if (row.status !== 'approved' && row.status !== 'paused') throw notSendable(row);
  const type = headerMediaOf(row);
  const faults = faultsOf(row, wanted, path);
  if (faults.length > 0) throw new InvalidInputError(faults);
  const file = wanted.header_media;
  const header = type && file ? await takeFile({ id: file.id, type }, `${path}.header_media`) : null;
  const bound = boundVariables(row, wanted.variables);
  const stored: StoredBinding = {
    name: row.name,
    language: row.language,
    business_account_id: row.business_account_id,
    category: row.category,
    text: textOf(row, bound),
    variables: bound,
    header_media: header,
    pinned: pinnedOf(rows, row),
  };
  if (wanted.version !== undefined && wanted.version !== versionOf(stored)) {
    throw new ConflictError('template_changed', `The template ${row.name} has changed since it was reviewed`);
  }
  return stored;
}

/** The same binding to the versions of today. */
export async function rebindTemplate(
  ctx: Context,
  { accountId, projectId, binding }: { accountId: number; projectId: number; binding: StoredBinding },
): Promise<StoredBinding> {
  const { name, language, variables, header_media: file } = binding;
  return bindTemplate(ctx, {
    accountId,
    projectId,
    wanted: { name, language, variables, ...(file && { header_media: { id: file.id } }) },
    takeFile: ({ type }) => Promise.resolve({ ...(file as CarriedMedia), type }),
  });
}

/** The languages in which the same binding fills every variable, and that can be sent now or after a pause. */
function pinnedOf(rows: readonly TemplateRow[], chosen: TemplateRow): StoredBinding['pinned'] {
  const names = (row: TemplateRow) => variablesOf(row).map(({ name }) => name);
  const bound = new Set(names(chosen));
  return rows
    .filter(
      (row) =>
        row.name === chosen.name &&
        row.business_account_id === chosen.business_account_id &&
        (row.status === 'approved' || row.status === 'paused') &&
        headerMediaOf(row) === headerMediaOf(chosen) &&
        names(row).every((name) => bound.has(name)),
    )
    .map(({ id, language, version }) => ({ id, language, version }))
    .toSorted((a, b) => a.id - b.id);
}

function faultsOf(row: TemplateRow, { variables, header_media: file }: NewBoundTemplate, path: string) {
  const known = variablesOf(row).map(({ name }) => name);
  const refuse = (name: string, message: string) => ({ path: `${path}.${name}`, message });
  const faults = known.flatMap((name) =>
    (variables[name]?.text ?? '').trim() === '' && !variables[name]?.default
      ? [refuse(`variables.${name}`, 'Enter a text for this variable')]
      : [],
  );
  for (const name of Object.keys(variables).filter((each) => !known.includes(each))) {
    const message = known.length === 0 ? 'The template has no variables' : `The template has ${known.join(', ')}`;
    faults.push(refuse(`variables.${name}`, message));
  }
  const type = headerMediaOf(row);
  if (type && !file) faults.push(refuse('header_media', `The header needs a file of type ${type}`));
  if (!type && file) faults.push(refuse('header_media', 'The header takes no file'));
  if (partOf(row, 'HEADER')?.format?.toUpperCase() === 'LOCATION')
    faults.push(refuse('name', 'A template with a place in its header cannot be sent from here'));
  return faults;
}

const boundVariables = (row: TemplateRow, variables: NewBoundTemplate['variables']): StoredBinding['variables'] =>
  Object.fromEntries(variablesOf(row).map(({ name }) => [name, variables[name] ?? { text: '', default: null }]));

/** A text with a default of its own stands as one placeholder, as people write it. */
function bindingText({ text, default: instead }: BoundVariable): string {
  const [use, ...others] = placeholderUses(text);
  const isAlone = use !== undefined && others.length === 0 && text.trim() === writePlaceholder(use);
  if (instead === null || !isAlone || use.fallback !== undefined) return text.trim() === '' ? (instead ?? '') : text;
  return writePlaceholder({ ...use, fallback: instead });
}

const bindingTexts = (variables: StoredBinding['variables']) =>
  Object.fromEntries(Object.entries(variables).map(([name, variable]) => [name, bindingText(variable)]));

const textOf = (row: TemplateRow, variables: StoredBinding['variables']) =>
  renderTemplate(row, bindingTexts(variables)).body;

/** All texts of a binding that hold placeholders, for their review. */
export const allTextsOf = ({ variables }: StoredBinding) => Object.values(bindingTexts(variables)).join('\n');

const versionOf = ({ pinned }: StoredBinding) =>
  createHash('sha256')
    .update(JSON.stringify(pinned.map(({ id, version }) => [id, version])))
    .digest('hex')
    .slice(0, 16);

export function presentBinding(binding: StoredBinding | null): BoundTemplate | null {
  if (!binding) return null;
  const { pinned, ...shown } = binding;
  return { ...shown, languages: pinned.map(({ language }) => language), version: versionOf(binding) };
}

/** Whether both send the same. */
export const isSameBinding = (one: StoredBinding | null, other: StoredBinding | null) =>
  JSON.stringify(one) === JSON.stringify(other);
