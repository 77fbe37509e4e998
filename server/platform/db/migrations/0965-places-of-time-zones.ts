import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Places that Intl means by the names, and that every PostgreSQL has (CLDR 47; CET and the like as IANA 2024b has them). */
const placeOf = {
  ACT: 'Australia/Darwin',
  AET: 'Australia/Sydney',
  AGT: 'America/Argentina/Buenos_Aires',
  ART: 'Africa/Cairo',
  AST: 'America/Anchorage',
  BET: 'America/Sao_Paulo',
  BST: 'Asia/Dhaka',
  CAT: 'Africa/Maputo',
  CET: 'Europe/Brussels',
  CNT: 'America/St_Johns',
  CST: 'America/Chicago',
  CTT: 'Asia/Shanghai',
  EAT: 'Africa/Nairobi',
  ECT: 'Europe/Paris',
  EET: 'Europe/Athens',
  IET: 'America/Indiana/Indianapolis',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  MET: 'Europe/Brussels',
  MIT: 'Pacific/Apia',
  NET: 'Asia/Yerevan',
  NST: 'Pacific/Auckland',
  PLT: 'Asia/Karachi',
  PNT: 'America/Phoenix',
  PRT: 'America/Puerto_Rico',
  PST: 'America/Los_Angeles',
  SST: 'Pacific/Guadalcanal',
  VST: 'Asia/Ho_Chi_Minh',
  WET: 'Europe/Lisbon',
  'US/PACIFIC-NEW': 'America/Los_Angeles',
};

const places = Object.entries(placeOf).map(([name, place]) => `('${name}', '${place}')`);

/**
 * Names that are no longer taken become the places that they stand for. To PostgreSQL AET is no time zone at all, and
 * PST has no summer. Further names of three letters that it does not know become UTC; it is asked only where there are some.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['accounts', 'profile_facts']) {
    await sql
      .raw(
        `update ${table} set timezone = p.place from (values ${places.join()}) as p (name, place)
          where upper(${table}.timezone) = p.name`,
      )
      .execute(db);
    await sql
      .raw(
        `update ${table} set timezone = 'UTC'
          where timezone ~ '^[A-Za-z]{3}$' and upper(timezone) not in (select upper(name) from pg_timezone_names)`,
      )
      .execute(db);
  }
}
