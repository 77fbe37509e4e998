import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Causes, until it is worked out whom they concern: written with its cause, in its transaction.
  `create table notification_causes (
     id bigint generated always as identity primary key,
     account_id bigint not null,
     kind text not null,
     project_id bigint,
     conversation_id bigint,
     alert_id bigint,
     user_ids bigint[],
     actor_id bigint,
     due_at timestamptz not null
   )`,
  `create index notification_causes_due on notification_causes (due_at)`,
  // A member's; it ends with the membership. Unread, there is one of a kind and a conversation, which counts.
  `create table notifications (
     account_id bigint not null,
     id bigint generated always as identity,
     user_id bigint not null,
     kind text not null,
     project_id bigint,
     conversation_id bigint,
     alert_id bigint,
     actor_id bigint,
     count int not null default 1,
     created_at timestamptz not null,
     read_at timestamptz,
     is_in_page boolean not null,
     mail_due_at timestamptz,
     primary key (account_id, id),
     foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade,
     foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
   )`,
  `create unique index notifications_unread on notifications (account_id, user_id, kind, conversation_id)
     where read_at is null and conversation_id is not null`,
  `create index notifications_of_user on notifications (account_id, user_id, id)`,
  `create index notifications_of_conversation on notifications (account_id, conversation_id)`,
  `create index notifications_mail on notifications (mail_due_at) where mail_due_at is not null`,
  `create index notifications_created on notifications (created_at)`,
  `create table notification_settings (
     account_id bigint not null,
     user_id bigint not null,
     changes jsonb not null,
     primary key (account_id, user_id),
     foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
   )`,
  // The keys that push services know this installation by: one pair, made at the first use.
  `create table push_keys (
     id int primary key check (id = 1),
     public_key text not null,
     private_key_sealed bytea not null
   )`,
  // A browser of a member, by the session that it was subscribed in.
  `create table push_subscriptions (
     account_id bigint not null,
     id bigint generated always as identity,
     user_id bigint not null,
     session_hash bytea not null,
     endpoint_hash bytea not null,
     sealed bytea not null,
     program text,
     created_at timestamptz not null,
     primary key (account_id, id),
     foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
   )`,
  `create unique index push_subscriptions_endpoint on push_subscriptions (account_id, user_id, endpoint_hash)`,
  `create index push_subscriptions_session on push_subscriptions (session_hash)`,
  `create table push_deliveries (
     id bigint generated always as identity primary key,
     account_id bigint not null,
     subscription_id bigint not null,
     notification_id bigint not null,
     attempts int not null default 0,
     next_attempt_at timestamptz not null,
     foreign key (account_id, subscription_id) references push_subscriptions (account_id, id) on delete cascade,
     foreign key (account_id, notification_id) references notifications (account_id, id)
       on delete cascade on update cascade
   )`,
  `create index push_deliveries_due on push_deliveries (next_attempt_at)`,
  `create unique index push_deliveries_once on push_deliveries (account_id, subscription_id, notification_id)`,
  `create index push_deliveries_of on push_deliveries (account_id, notification_id)`,
  `alter table conversations add column snoozed_by bigint`,
  // A member who is removed keeps nothing here, and is pushed nothing from then on.
  `create function forget_member_notifications() returns trigger language plpgsql as $$
   begin
     delete from push_subscriptions where account_id = new.account_id and user_id = new.user_id;
     delete from notifications where account_id = new.account_id and user_id = new.user_id;
     delete from notification_settings where account_id = new.account_id and user_id = new.user_id;
     return null;
   end $$`,
  `create trigger forget_member_notifications after update of removed_at on memberships for each row
     when (new.removed_at is not null and old.removed_at is null) execute function forget_member_notifications()`,
  // A trigger, so that every way in which an alert begins tells of it.
  `create function note_alert() returns trigger language plpgsql as $$
   begin
     insert into notification_causes (account_id, kind, project_id, alert_id, due_at)
     values (new.account_id, 'alert', new.project_id, new.id, new.due_at);
     return null;
   end $$`,
  `create trigger note_alert after insert on alerts for each row execute function note_alert()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
