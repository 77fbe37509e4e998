import type { Selectable } from 'kysely';
import type { ProjectKey } from '#contracts/project-keys.ts';
import type { ProjectKeysTable } from '../tables.ts';
import { noLonger, readScopes } from './stored-scopes.ts';

export type ProjectKeyRow = Selectable<ProjectKeysTable>;

const hintLength = 8;

/** Enough of a key to know it by, and far too little to guess the rest. */
export const hintOf = (key: string) => key.slice(0, hintLength);

export function presentKey(row: ProjectKeyRow): ProjectKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: readScopes(row),
    addresses: row.addresses,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    no_longer: noLonger(row),
    replaced_at: row.replaced_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
