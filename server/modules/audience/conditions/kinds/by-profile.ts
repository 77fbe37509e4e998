/** In their order. */
export function byProfile<T extends { profileId: number }>(rows: readonly T[]): Map<number, T[]> {
  const found = new Map<number, T[]>();
  for (const row of rows) {
    const own = found.get(row.profileId);
    if (own) own.push(row);
    else found.set(row.profileId, [row]);
  }
  return found;
}
