/** Runs `work` for each number below `total`, at most `callers` at a time; answers seconds and each call's milliseconds. */
export async function runWithCallers(
  total: number,
  callers: number,
  work: (index: number, caller: number) => Promise<unknown>,
): Promise<{ seconds: number; latenciesMs: number[] }> {
  const latenciesMs: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (next < total) {
        const index = next++;
        const before = performance.now();
        await work(index, caller);
        latenciesMs.push(performance.now() - before);
      }
    }),
  );
  return { seconds: (performance.now() - started) / 1000, latenciesMs };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
