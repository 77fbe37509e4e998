import type { Context } from '#server/context.ts';
import { credentialsChannel, projectKeysChannel } from './channels.ts';

/** A change is told at once; where its notification is lost, what was read counts no longer than this. */
const keptMs = 5_000;
const mostKept = 20_000;

type Kept<Row> = { row: Row; readAt: number };

/** The keys that were found a moment ago, as their callers wrote them: to hash them is most of what finding them costs. */
export type KeptKeys<Row> = {
  find(key: string): Row | undefined;
  /** Called before a key is read; the answer keeps it, unless a change was told of meanwhile. */
  reading(key: string): (row: Row) => void;
  /** The keys of an account may open something else now. */
  forget(accountId: number): void;
  forgetAll(): void;
};

type Keeping<Row> = {
  accountOf(row: Row): number;
  /** Whether they are credentials, or open what a member may see. */
  areCredentials: boolean;
};

/** Keeps what was read of keys until a change of them is told, or notifications may have been missed. */
export function createKeptKeys<Row>(ctx: Context, { accountOf, areCredentials }: Keeping<Row>): KeptKeys<Row> {
  const kept = new Map<string, Kept<Row>>();
  let changes = 0;

  function forgetAll(): void {
    changes += 1;
    kept.clear();
  }

  function forget(accountId: number): void {
    changes += 1;
    for (const [key, { row }] of kept) if (accountOf(row) === accountId) kept.delete(key);
  }

  const isFresh = ({ readAt }: Kept<Row>, now: number) => now >= readAt && now - readAt < keptMs;

  /** Keys stay in memory little longer than they count. The first are the oldest. */
  function forgetOld(now: number): void {
    for (const [key, each] of kept) {
      if (isFresh(each, now)) return;
      kept.delete(key);
    }
  }

  ctx.listener.subscribe(projectKeysChannel, (payload) => forget(Number(payload)));
  if (areCredentials) ctx.listener.subscribe(credentialsChannel, forgetAll);
  ctx.listener.onGap(forgetAll);

  return {
    find(key) {
      const found = kept.get(key);
      return found && isFresh(found, ctx.clock.now().getTime()) ? found.row : undefined;
    },
    reading(key) {
      const before = changes;
      const readAt = ctx.clock.now().getTime();
      return (row) => {
        forgetOld(readAt);
        kept.delete(key);
        if (changes === before && kept.size < mostKept) kept.set(key, { row, readAt });
      };
    },
    forget,
    forgetAll,
  };
}
