import type { Selectable } from 'kysely';
import type { SavedTemplate } from '#contracts/saved-templates.ts';
import type { SavedTemplatesTable } from './tables.ts';

export type TemplateRow = Selectable<SavedTemplatesTable>;

export function presentTemplate({ id, name, message, created_at, updated_at }: TemplateRow): SavedTemplate {
  return { id, name, message, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}
