/** `from`: the template that is duplicated into another language. */
export function newTemplateSearch(search: Record<string, unknown>): { from?: number } {
  const from = Number(search['from']);
  return Number.isSafeInteger(from) && from > 0 ? { from } : {};
}
