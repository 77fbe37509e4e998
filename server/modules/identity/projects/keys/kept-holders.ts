import type { DirectFirstContacts } from '#contracts/projects.ts';
import type { StoredScope } from '../tables.ts';
import type { Context } from '#server/context.ts';
import { processPart } from '#server/process-part.ts';
import { projectKeysChannel } from '#server/modules/identity/live/index.ts';

/** A change is told at once; where its notification is lost, what was read counts no longer than this. */
const keptMs = 5_000;
const mostKept = 20_000;

export type HolderRow = {
  account_id: number;
  timezone: string;
  project_id: number;
  key_hash: Buffer;
  key_id: number | null;
  scopes: StoredScope[] | null;
  scopes_version: number;
  addresses: string[];
  expires_at: Date | null;
  last_used_at: Date | null;
  access_until: Date | null;
  suspension: string | null;
  direct_first_contacts: DirectFirstContacts;
};

type Kept = { row: HolderRow; readAt: number };

/** The keys that were found a moment ago, as their callers wrote them: to hash them is most of what finding them costs. */
export type KeptHolders = {
  find(key: string): HolderRow | undefined;
  /** Called before a key is read; the answer keeps it, unless a change was told of meanwhile. */
  reading(key: string): (row: HolderRow) => void;
  /** The keys of an account may open something else now. */
  forget(accountId: number): void;
};

/** The ones of this process. */
export const keptHoldersOf = processPart((ctx: Context): KeptHolders => {
  const kept = new Map<string, Kept>();
  let changes = 0;

  function forgetAll(): void {
    changes += 1;
    kept.clear();
  }

  function forget(accountId: number): void {
    changes += 1;
    for (const [key, { row }] of kept) if (row.account_id === accountId) kept.delete(key);
  }

  const isFresh = ({ readAt }: Kept, now: number) => now >= readAt && now - readAt < keptMs;

  /** Keys stay in memory little longer than they count. The first are the oldest. */
  function forgetOld(now: number): void {
    for (const [key, each] of kept) {
      if (isFresh(each, now)) return;
      kept.delete(key);
    }
  }

  ctx.listener.subscribe(projectKeysChannel, (payload) => forget(Number(payload)));
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
  };
});
