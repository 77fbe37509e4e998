/** Timers that end with their session. */
export function createTimers() {
  const timers = new Set<NodeJS.Timeout>();
  return {
    after(ms: number, work: () => void): void {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, ms);
      timers.add(timer);
    },
    stop(): void {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
