import { sql } from 'kysely';
import type { NewProfile, Profile } from '#contracts/profiles.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findErased } from '#server/modules/audience/suppressions/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import type { Batcher } from '#server/platform/batcher.ts';
import { processPart } from '#server/process-part.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { namesFacts, saveFacts } from './facts.ts';
import { phoneKey } from './numbers/phone-key.ts';
import { followOptOut, presentOne } from './opt-out.ts';
import { presentProfile } from './present.ts';
import type { ListedProfileRow } from './present.ts';
import type { ProfileValues } from './profile-values.ts';
import { newNumberStates } from './queries.ts';
import { valuesTable } from './save-profiles.ts';

type Wanted = {
  values: ProfileValues;
  input: Pick<NewProfile, 'opted_out' | 'language' | 'timezone' | 'external_id'>;
};
type Asked = Wanted & { ctx: AccountContext };
type AccountsBatcher = Batcher<Asked, Profile | undefined>;

const maxItems = 50;
/** Batches of an account at once, so that one is read while the database writes the other; a number is always in one. */
const lanes = 2;

const batchersOf = processPart(() => new Map<string, AccountsBatcher>());

/**
 * Makes a profile; undefined when there is one with this number. Concurrent requests of an account are served in one
 * transaction, whose round trips and commit cost more than its rows do. Within a transaction it is made there.
 */
export async function makeProfile(ctx: AccountContext, wanted: Wanted): Promise<Profile | undefined> {
  const asked = { ...wanted, ctx };
  // An external id that is another's fails its own request alone.
  if (ctx.db.isTransaction || namesFacts(wanted.input))
    return inTransaction(ctx, async (tx) => (await makeTogether(tx, [asked]))[0]);
  const batchers = batchersOf(ctx);
  const lane = `${ctx.account.id} ${Number(phoneKey(wanted.values.phone).at(-1)) % lanes}`;
  const batcher = batchers.get(lane) ?? createBatcher(makeBatch, { maxItems });
  batchers.set(lane, batcher);
  try {
    return await batcher.add(asked);
  } finally {
    if (batcher.isIdle()) batchers.delete(lane);
  }
}

async function makeBatch(batch: readonly Asked[]): Promise<(Profile | undefined)[]> {
  const [first] = batch;
  if (!first) return [];
  return retryConflicts(() => inTransaction(first.ctx, (tx) => makeTogether(tx, batch)));
}

/** Of those that ask for one number, the first makes it. */
async function makeTogether(tx: Tx<AccountContext>, batch: readonly Asked[]): Promise<(Profile | undefined)[]> {
  const makers = new Map(batch.toReversed().map((asked) => [phoneKey(asked.values.phone), asked]));
  const rows = await insert(
    tx,
    [...makers.values()].map(({ values }) => values),
  );
  if (rows.length === 0) return batch.map(() => undefined);
  const source = { accountId: tx.account.id, at: tx.clock.now(), profileIds: rows.map(({ id }) => id) };
  await tx.onDomainEvents(tx, [
    { ...source, type: 'profiles.changed' },
    { ...source, type: 'profiles.numbered' },
  ]);
  // Their numbers have come to the list with the events.
  const erased = await findErased(
    tx,
    tx.account.id,
    rows.map(({ phone }) => phone),
  );
  const made = new Map<Asked, Profile>();
  for (const row of rows) {
    const maker = makers.get(phoneKey(row.phone));
    if (maker) made.set(maker, await finish(tx, row, { ...maker, isErased: erased.has(row.phone) }));
  }
  return batch.map((asked) => made.get(asked));
}

/** In the order of the numbers' keys, so that two batches never wait for each other. Answers those that were not there. */
async function insert(tx: Tx<AccountContext>, profiles: readonly ProfileValues[]): Promise<ListedProfileRow[]> {
  const now = tx.clock.now();
  const { rows } = await sql<ListedProfileRow>`
    /* prepared: make-profiles */
    insert into profiles (account_id, phone, phone_given, country_code, calling_code, national_number, phone_is_valid,
                          name, email, status, custom_fields, tags, created_at, updated_at)
    select ${tx.account.id}::bigint, x.*, ${now}::timestamptz, ${now}::timestamptz from ${valuesTable(profiles)}
     order by phone_key(x.phone)
    on conflict do nothing
    returning profiles.*, ${newNumberStates}
  `.execute(tx.db);
  return rows;
}

/** An opt-out from the profile's fields is attributed to the caller. */
async function finish(
  tx: Tx<AccountContext>,
  row: ListedProfileRow,
  { ctx, input, isErased }: Asked & { isErased: boolean },
): Promise<Profile> {
  const isListed = await followOptOut({ ...ctx, db: tx.db }, { after: row, input });
  const hasFacts = await saveFacts({ ...ctx, db: tx.db }, row.id, input);
  return isListed || hasFacts || isErased ? presentOne(tx, row) : presentProfile(row);
}
