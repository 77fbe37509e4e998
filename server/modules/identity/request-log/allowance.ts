const minuteMs = 60_000;

/**
 * How many requests are noted one by one: so many of an account in a minute that succeed, and as many that do not. Of the
 * others there is a number, which the next one carries.
 */
export function createAllowance({ perMinute }: { perMinute: number }) {
  const omitted = new Map<number, number>();
  let minute = 0;
  let used = new Map<string, number>();
  return {
    /** How many were left out before this one; undefined: it is left out itself. */
    take(accountId: number, { isSuccess, now }: { isSuccess: boolean; now: Date }): number | undefined {
      const current = Math.floor(now.getTime() / minuteMs);
      if (current !== minute) used = new Map();
      minute = current;
      const key = `${accountId}:${isSuccess}`;
      const count = used.get(key) ?? 0;
      const before = omitted.get(accountId) ?? 0;
      if (count >= perMinute) {
        omitted.set(accountId, before + 1);
        return undefined;
      }
      used.set(key, count + 1);
      omitted.delete(accountId);
      return before;
    },
  };
}
