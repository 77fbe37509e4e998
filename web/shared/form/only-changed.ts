/**
 * The values of a form that were changed in it, by its `dirtyFields`: others may have been changed meanwhile by
 * somebody else, and stay.
 */
export function onlyChanged<Values extends object>(values: Values, dirtyFields: object): Partial<Values> {
  const changed = new Set(Object.keys(dirtyFields));
  return Object.fromEntries(Object.entries(values).filter(([name]) => changed.has(name))) as Partial<Values>;
}
