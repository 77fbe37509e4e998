import type { GeneratedAlways } from 'kysely';
import type { ViewedList } from '#contracts/saved-views.ts';

export type SavedViewTables = {
  saved_views: {
    account_id: number;
    id: GeneratedAlways<number>;
    list: ViewedList;
    name: string;
    search: string;
    created_at: Date;
    updated_at: Date;
  };
};
