/**
 * The placeholders of a message: a path in braces, spaces around it ignored. `{name}` names a profile column first,
 * then a custom field of that name; `{custom_fields.name}` names the custom field alone.
 */
const placeholder = /\{([^{}\n]{1,600})\}/g;

/** The paths that a template names, each once, in the order they first appear. */
export function placeholdersOf(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(placeholder), ([, path = '']) => path.trim()))];
}

/** The template with every placeholder replaced; what has no value becomes empty text. */
export function fillTemplate(template: string, textOf: (path: string) => string | undefined): string {
  return template.replaceAll(placeholder, (_, path: string) => textOf(path.trim()) ?? '');
}
