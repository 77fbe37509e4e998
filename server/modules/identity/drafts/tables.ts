import type { DraftKind } from '#contracts/drafts.ts';

export type DraftTables = {
  drafts: {
    account_id: number;
    user_id: number;
    kind: DraftKind;
    key: string;
    /** JSON. */
    content: string;
    /** Of the sequence `draft_revisions`: no two saves share one, also of a draft that was discarded and begun again. */
    revision: number;
    updated_at: Date;
  };
};
