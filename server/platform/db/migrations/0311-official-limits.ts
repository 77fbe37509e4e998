import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Why Meta lets a number send nothing (all), or begin nothing with anybody (begin). until null: nobody knows.
  `create table number_holds (
     account_id bigint not null,
     phone_id bigint not null,
     source text not null,
     scope text not null,
     reason text not null,
     began_at timestamptz not null,
     until timestamptz,
     primary key (phone_id, source),
     foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
   )`,

  // People whom the numbers of a business account wrote to outside of their windows, when they did so last.
  `create table portfolio_contacts (
     account_id bigint not null references accounts on delete cascade,
     business_account_id text not null,
     contact_key text not null,
     begun_at timestamptz not null,
     primary key (account_id, business_account_id, contact_key)
   )`,
  `create index portfolio_contacts_begun on portfolio_contacts (account_id, business_account_id, begun_at)`,

  // Numbers to which Meta lets no more marketing go until then.
  `create table marketing_caps (
     account_id bigint not null references accounts on delete cascade,
     phone_key text not null,
     until timestamptz not null,
     primary key (account_id, phone_key)
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
