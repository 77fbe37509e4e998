import type { GeneratedAlways } from 'kysely';

type OfSource = { account_id: number; source: 'campaign' | 'flow' | 'bulk_run'; source_id: number };

/** The addresses that messages of a source lead to. */
export type LinksTable = OfSource & { id: GeneratedAlways<number>; url: string; created_at: Date };

/** First openings of links, by the messages that had them. */
export type LinkClicksTable = { account_id: number; link_id: number; message_id: number; clicked_at: Date };

/** Messages of which any link was opened. */
export type MessageClicksTable = OfSource & { message_id: number; clicked_at: Date };

export type LinkTotalsTable = OfSource & { clicked: number };

/** Without a row links stand on PUBLIC_URL. */
export type LinkSettingsTable = { account_id: number; domain: string };

export type LinkTables = {
  links: LinksTable;
  link_clicks: LinkClicksTable;
  message_clicks: MessageClicksTable;
  link_totals: LinkTotalsTable;
  link_settings: LinkSettingsTable;
};
