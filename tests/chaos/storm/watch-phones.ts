import type { Cluster } from './cluster.ts';

/** Violations that the database itself sees, whichever process wrote the rows. */
export type PhoneWatch = {
  /** Phones that were taken while another process's lease stood, and messages sent without the lease of that moment. */
  faults(): Promise<string[]>;
  /** The last changes of phones' holders and statuses, for whoever looks for a cause. */
  lately(): Promise<string[]>;
};

const triggers = `
  create table storm_notes (at timestamptz default clock_timestamp(), fault boolean, note text);
  create table storm_takeovers (token bigint, at timestamptz);

  create function storm_watch_lease() returns trigger language plpgsql security definer as $$
  declare
    now_is timestamptz := clock_timestamp();
  begin
    if new.owner <> old.owner and old.expires_at > now_is and not exists (
         select from phone_workers w
          where w.owner = old.owner and w.epoch is not null and (w.expires_at < now_is or old.token <= w.epoch)) then
      insert into storm_notes (fault, note) values
        (true, format('phone %s went from %s to %s while the lease stood', new.phone_id, old.owner, new.owner));
    end if;
    if new.token <> old.token then
      insert into storm_takeovers values (old.token, now_is);
      insert into storm_notes (fault, note) values
        (false, format('phone %s went from %s (%s) to %s (%s)', new.phone_id, old.owner, old.token, new.owner, new.token));
    end if;
    if new.token < old.token then
      insert into storm_notes (fault, note) values (true, format('the token of phone %s fell', new.phone_id));
    end if;
    return null;
  end $$;
  create trigger storm_watch after update on phone_leases for each row execute function storm_watch_lease();

  create function storm_watch_release() returns trigger language plpgsql security definer as $$
  begin
    insert into storm_takeovers values (old.token, clock_timestamp());
    insert into storm_notes (fault, note) values
      (false, format('phone %s was given back by %s (%s)', old.phone_id, old.owner, old.token));
    return null;
  end $$;
  create trigger storm_watch_release after delete on phone_leases for each row execute function storm_watch_release();

  -- As the statement sees it that asks: whoever takes the phone meanwhile may not have committed.
  create function storm_is_held(phone bigint, held_token bigint) returns boolean language sql stable security definer as $$
    select exists (select from phone_leases where phone_id = phone and token = held_token)
  $$;

  create function storm_watch_send() returns trigger language plpgsql security definer as $$
  begin
    -- A claim that had begun before its phone was taken over, or given back, ends after it: nobody sends what it has.
    if not exists (select from storm_takeovers where token = new.lease_token and at >= transaction_timestamp()) then
      insert into storm_notes (fault, note) values
        (true, format('message %s was sent by phone %s without its lease', new.id, new.phone_id));
    end if;
    return null;
  end $$;
  create trigger storm_watch_new after insert on messages for each row
    when (new.status = 'sending' and not storm_is_held(new.phone_id, new.lease_token))
    execute function storm_watch_send();
  create trigger storm_watch_sending after update of status, lease_token on messages for each row
    when (new.status = 'sending' and not storm_is_held(new.phone_id, new.lease_token))
    execute function storm_watch_send();

  create function storm_watch_status() returns trigger language plpgsql security definer as $$
  begin
    insert into storm_notes (fault, note) values
      (false, format('%s phone %s of account %s: %s, then %s (%s)', new.connector, new.id, new.account_id, old.status, new.status, new.error));
    return null;
  end $$;
  create trigger storm_watch after update of status on phones for each row
    when (new.status <> old.status) execute function storm_watch_status();`;

/** Puts triggers beside the product's own tables. A stopped process or a lapsed lease is seen by them, a slow test is not. */
export async function layPhoneWatch(query: (text: string) => Promise<unknown>): Promise<void> {
  await query(triggers);
}

/** Reads what was noted since the watch was laid. */
export function watchPhones({ query }: Pick<Cluster, 'query'>): PhoneWatch {
  const notes = async (where: string) => {
    const rows = await query<{ at: Date; note: string }>(
      `select at, note from storm_notes where ${where} order by at desc limit 20`,
    );
    return rows.map(({ at, note }) => `${at.toISOString()} ${note}`).toReversed();
  };
  return { faults: () => notes('fault'), lately: () => notes('not fault') };
}
