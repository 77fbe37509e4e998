export type FieldRow = {
  /** Keys from the outermost object inwards, with dots between. */
  path: string;
  value: string;
  /** Text is shown as it is, all else as JSON. */
  isText: boolean;
};

/** Custom fields as rows for reading: nested objects become paths, lists stay whole. */
export function fieldRows(fields: Record<string, unknown>, parents: readonly string[] = []): FieldRow[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const keys = [...parents, key];
    if (isFilledObject(value)) return fieldRows(value, keys);
    const isText = typeof value === 'string';
    return [{ path: keys.join('.'), value: isText ? value : JSON.stringify(value), isText }];
  });
}

function isFilledObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}
