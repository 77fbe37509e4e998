import type { Selectable } from 'kysely';
import type { Profile } from '#contracts/profiles.ts';
import { noFacts } from './facts.ts';
import type { ProfileFacts } from './facts.ts';
import type { ProfilesTable } from './tables.ts';

export type ProfileRow = Selectable<ProfilesTable>;

/** With what stands beside its row: its facts, and what is known of its number. */
export type ListedProfileRow = ProfileRow & {
  opted_out_at: Date | null;
  off_whatsapp_at: Date | null;
  facts: ProfileFacts | null;
};

export function presentProfile(row: ListedProfileRow): Profile {
  return {
    id: row.id,
    phone: row.phone,
    phone_given: row.phone_given,
    country_code: row.country_code,
    cc: row.calling_code,
    number: row.national_number,
    phone_is_valid: row.phone_is_valid,
    name: row.name,
    email: row.email,
    ...(row.facts ?? noFacts),
    custom_fields: row.custom_fields,
    status: row.status,
    tags: row.tags,
    opted_out: row.opted_out_at !== null,
    opted_out_at: row.opted_out_at?.toISOString() ?? null,
    on_whatsapp: row.off_whatsapp_at === null ? null : false,
    on_whatsapp_checked_at: row.off_whatsapp_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
