const normal = (language: string) => language.replaceAll('_', '-').toLowerCase();
const baseOf = (language: string) => normal(language).split('-')[0] ?? '';

/**
 * The language of a template for a person: exactly theirs, else one of the same language in another country, else
 * `instead`. Both spellings of a language are understood: `pt-BR` and `pt_BR`.
 */
export function languageFor(own: string | null, languages: readonly string[], instead: string): string {
  if (own === null || own.trim() === '') return instead;
  const exact = languages.find((language) => normal(language) === normal(own));
  if (exact !== undefined) return exact;
  const related = languages.filter((language) => baseOf(language) === baseOf(own));
  // Of several the binding's own, or the plain one: `es` before `es_MX`.
  return related.find((language) => language === instead) ?? related.toSorted()[0] ?? instead;
}
