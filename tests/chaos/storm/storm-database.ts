/** A migrated database, over which the watch of phones is laid. */
export type StormDatabase = {
  /** Where its owner finds it; elsewhere after a failover. */
  owner(): string;
  /** Where the product does. */
  application(): string;
  /** Further settings of the product. */
  env: Record<string, string>;
  /** Which rows of `pg_stat_activity` are the product's. */
  connections: string;
  /** To the server that has it, which is started again where it ends. */
  signal(signal: NodeJS.Signals, which: 'postmaster' | 'all'): Promise<void>;
  stop(): Promise<void>;
};

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // A backend that ended by itself meanwhile.
  }
}
