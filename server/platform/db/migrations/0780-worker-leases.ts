import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The lease of a process: what it holds counts until `expires_at`, as far as its token is higher than `epoch`. Null:
  // one of the release before, whose phones have leases of their own alone. `phones`: as it counted them last.
  `alter table phone_workers
     add column epoch bigint, add column expires_at timestamptz,
     add column phones int, add column counted_at timestamptz`,
  // A process of the release before that starts under the name of a newer one knows nothing of what that one wrote.
  `create function forget_newer_worker() returns trigger language plpgsql as $$
   begin
     new.epoch := null;
     new.expires_at := null;
     new.held := null;
     new.most := null;
     return new;
   end $$`,
  `create trigger phone_workers_of_older_releases before update of seen_at on phone_workers for each row
     when (old.expires_at is not null and new.expires_at is not distinct from old.expires_at)
     execute function forget_newer_worker()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
