type Place = { at: number; count: number; pageRows: number };

/** Where a key leads in a list of rows; undefined for keys that lead nowhere. */
export function nextRow(key: string, { at, count, pageRows }: Place): number | undefined {
  const steps: Partial<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - pageRows,
    PageDown: at + pageRows,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(Math.max(next, 0), count - 1);
}
