import { parseFieldPath, profileColumns } from '#contracts/field-path.ts';
import type { ProfileColumn } from '#contracts/field-path.ts';
import { fillTemplate } from '#contracts/template.ts';
import { valueAt } from '#server/modules/audience/profiles/index.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';

/** The columns that a message to a profile depends on; a profile's row has them. */
export type RecipientProfile = Pick<ProfileRow, ProfileColumn | 'custom_fields'>;

/** The template as this profile reads it. */
export function fillForProfile(template: string, profile: RecipientProfile): string {
  return fillTemplate(template, (path) => placeholderText(profile, path));
}

/**
 * The text of a placeholder: a filled column, else the custom field of that path; `custom_fields.` names the custom
 * field alone. Times are ISO 8601, a list its values with commas between. An object has no reading, and like what is
 * missing it becomes empty text.
 */
export function placeholderText(profile: RecipientProfile, path: string): string {
  const column = profileColumns.find((name) => name === path);
  const text = column ? valueText(profile[column]) : '';
  return text === '' ? customText(profile, path) : text;
}

function customText(profile: RecipientProfile, path: string): string {
  const field = parseFieldPath(path.startsWith('custom_fields.') ? path : `custom_fields.${path}`);
  return field?.kind === 'custom' ? valueText(valueAt(profile.custom_fields, field.keys)) : '';
}

function valueText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      if (value instanceof Date) return value.toISOString();
      if (!Array.isArray(value)) return '';
      return value
        .map(valueText)
        .filter((text) => text !== '')
        .join(', ');
  }
}
