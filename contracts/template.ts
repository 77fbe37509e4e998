import { isOwnLink } from './own-links.ts';

/**
 * The placeholders of a message: a path in braces, spaces around it ignored, and after a bar the text for whoever has no
 * value: `{name|there}`. `{name}` names a profile column first, then a custom field of that name; `{custom_fields.name}`
 * names the custom field alone. In a bulk run the paths are the columns of the file.
 */
const placeholder = /\{([^{}\n]{1,600})\}/g;

export type Placeholder = {
  path: string;
  /** The text read in place of an empty value; undefined: none. */
  fallback: string | undefined;
};

function readPlaceholder(inner: string): Placeholder {
  const bar = inner.indexOf('|');
  if (bar === -1) return { path: inner.trim(), fallback: undefined };
  return { path: inner.slice(0, bar).trim(), fallback: inner.slice(bar + 1).trim() || undefined };
}

/** The placeholders of a template, each once, in the order they first appear; without links of each recipient's own. */
export function placeholderUses(template: string): Placeholder[] {
  const uses = Array.from(template.matchAll(placeholder), ([, inner = '']) => readPlaceholder(inner)).filter(
    ({ path }) => !isOwnLink(path),
  );
  return [...new Map(uses.map((use) => [writePlaceholder(use), use])).values()];
}

/** As it is written in a message. */
export function writePlaceholder({ path, fallback }: Placeholder): string {
  return fallback === undefined ? `{${path}}` : `{${path}|${fallback}}`;
}

/** The paths that a template names, each once, in the order they first appear. */
export function placeholdersOf(template: string): string[] {
  return [...new Set(placeholderUses(template).map(({ path }) => path))];
}

/** The template with every placeholder replaced: by its value, else by its default, else by empty text. */
export function fillTemplate(template: string, textOf: (path: string) => string | undefined): string {
  return template.replaceAll(placeholder, (_, inner: string) => {
    const { path, fallback } = readPlaceholder(inner);
    const text = textOf(path) ?? '';
    return fallback !== undefined && text.trim() === '' ? fallback : text;
  });
}

/** The texts and the placeholders of a template, in their order. */
export function templateParts(template: string): (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = [];
  let end = 0;
  for (const match of template.matchAll(placeholder)) {
    if (match.index > end) parts.push(template.slice(end, match.index));
    parts.push(readPlaceholder(match[1] ?? ''));
    end = match.index + match[0].length;
  }
  if (end < template.length) parts.push(template.slice(end));
  return parts;
}
