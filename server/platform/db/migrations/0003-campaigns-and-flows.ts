import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table messages add column campaign_id bigint`,
  `alter table messages add column flow_id bigint`,
  `create index messages_of_campaign on messages (account_id, campaign_id, id desc) where campaign_id is not null`,
  `create index messages_of_flow on messages (account_id, flow_id, id desc) where flow_id is not null`,

  `create table campaigns (
     account_id bigint not null,
     id bigint generated always as identity,
     project_id bigint not null,
     segment_id bigint not null,
     name text not null,
     message text not null,
     status text not null,
     error text,
     waiting_for text,
     scheduled_at timestamptz,
     spread_minutes int,
     spread_from timestamptz,
     paused_at timestamptz,
     fed_until bigint not null default 0,
     total_count int not null default 0,
     queued_count int not null default 0,
     sent_count int not null default 0,
     failed_count int not null default 0,
     skipped_count int not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     started_at timestamptz,
     finished_at timestamptz,
     primary key (account_id, id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   ) with (fillfactor = 50)`,
  `create index campaigns_under_way on campaigns (account_id, id) where status in ('scheduled', 'creating', 'running')`,
  // No foreign key: it would be checked row by row for every snapshot. The trigger below deletes them with theirs.
  `create table campaign_recipients (
     account_id bigint not null,
     campaign_id bigint not null,
     profile_id bigint not null,
     phone text collate "C" not null,
     status text not null,
     message_id bigint,
     reason text,
     changed_at timestamptz,
     primary key (account_id, campaign_id, profile_id)
   )`,
  // Waiting recipients are found by the primary key: they are all beyond `fed_until`.
  `create index campaign_recipients_by_status on campaign_recipients (account_id, campaign_id, status, profile_id)
     where status <> 'waiting'`,
  // Changes to a campaign's counts that are not added up yet, so that settling a message never locks its campaign.
  `create table campaign_tallies (
     account_id bigint not null,
     campaign_id bigint not null,
     queued int not null,
     sent int not null,
     failed int not null,
     skipped int not null
   )`,
  `create index campaign_tallies_of_campaign on campaign_tallies (account_id, campaign_id)`,

  `create table flows (
     account_id bigint not null,
     id bigint generated always as identity,
     project_id bigint not null,
     name text not null,
     message text not null,
     conditions jsonb not null,
     duration jsonb not null,
     frequency jsonb not null,
     is_active boolean not null,
     waiting_for text,
     last_run_at timestamptz,
     next_run_at timestamptz,
     paced_until timestamptz not null,
     next_feed_at timestamptz,
     waiting_count int not null default 0,
     queued_count int not null default 0,
     sent_count int not null default 0,
     failed_count int not null default 0,
     skipped_count int not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (account_id, id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   ) with (fillfactor = 50)`,
  // Partial, so that looking for work reads due flows only.
  `create index flows_to_run on flows (next_run_at) where next_run_at is not null`,
  `create index flows_to_feed on flows (next_feed_at) where next_feed_at is not null`,
  // The last time is infinity from the moment that a message is planned until it has been settled.
  `create table flow_profiles (
     account_id bigint not null,
     flow_id bigint not null,
     profile_id bigint not null,
     last_at timestamptz not null,
     primary key (account_id, flow_id, profile_id)
   ) with (fillfactor = 70)`,
  `create table flow_deliveries (
     account_id bigint not null,
     flow_id bigint not null,
     id bigint not null default next_record_id(),
     profile_id bigint not null,
     project_id bigint not null,
     phone text collate "C" not null,
     status text not null,
     body text,
     message_id bigint,
     reason text,
     created_at timestamptz not null,
     sent_at timestamptz,
     primary key (account_id, flow_id, id)
   ) with (fillfactor = 70)`,
  `create table flow_tallies (
     account_id bigint not null,
     flow_id bigint not null,
     queued int not null,
     sent int not null,
     failed int not null
   )`,
  `create index flow_tallies_of_flow on flow_tallies (account_id, flow_id)`,
  `create index flow_deliveries_waiting on flow_deliveries (account_id, flow_id, id) where status = 'waiting'`,
  // A failure may yet turn out to have arrived.
  `create index flow_deliveries_unsettled on flow_deliveries (account_id, message_id)
     where status in ('queued', 'failed')`,

  `create function delete_campaign_recipients() returns trigger language plpgsql as $$
   begin
     delete from campaign_recipients r using gone
      where r.account_id = gone.account_id and r.campaign_id = gone.id;
     delete from campaign_tallies t using gone where t.account_id = gone.account_id and t.campaign_id = gone.id;
     return null;
   end $$`,
  `create trigger delete_recipients after delete on campaigns referencing old table as gone
     for each statement execute function delete_campaign_recipients()`,
  `create function delete_flow_deliveries() returns trigger language plpgsql as $$
   begin
     delete from flow_deliveries d using gone where d.account_id = gone.account_id and d.flow_id = gone.id;
     delete from flow_profiles p using gone where p.account_id = gone.account_id and p.flow_id = gone.id;
     delete from flow_tallies t using gone where t.account_id = gone.account_id and t.flow_id = gone.id;
     return null;
   end $$`,
  `create trigger delete_deliveries after delete on flows referencing old table as gone
     for each statement execute function delete_flow_deliveries()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
