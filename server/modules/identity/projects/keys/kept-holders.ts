import type { DirectFirstContacts } from '#contracts/projects.ts';
import type { StoredScope } from '../tables.ts';
import { createKeptKeys } from '#server/modules/identity/live/index.ts';
import { processPart } from '#server/process-part.ts';

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

/** The keys of projects that this process keeps. */
export const keptHoldersOf = processPart((ctx) =>
  createKeptKeys<HolderRow>(ctx, { accountOf: (row) => row.account_id, areCredentials: false }),
);
