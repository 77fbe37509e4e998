import { fillTemplate, placeholderUses, writePlaceholder, type Placeholder } from '#contracts/template.ts';
import { plainLinks } from '#web/shared/template/show-links.ts';

type Fields = Readonly<Partial<Record<string, string>>>;

/** The message with a row's own values, by the columns of the file in any capitals; what the row lacks is empty text. */
export function fillMessage(message: string, fields: Fields): string {
  return fillTemplate(plainLinks(message), (path) => valueOf(fields, path));
}

export function valueOf(fields: Fields, path: string): string {
  const name = path.toLowerCase();
  return Object.hasOwn(fields, name) ? (fields[name] ?? '') : '';
}

/** Names that every file may have. */
const usual = ['name', 'shop'];

/** Placeholders that no column fills, and that have no default: they would be empty in every row. */
export function unknownPlaceholders(message: string, columns: readonly string[]): readonly string[] {
  const isKnown = ({ path, fallback }: Placeholder) =>
    fallback !== undefined || usual.includes(path.toLowerCase()) || columns.includes(path.toLowerCase());
  return placeholderUses(message).flatMap((use) => (isKnown(use) ? [] : [writePlaceholder(use)]));
}
