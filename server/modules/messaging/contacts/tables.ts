/** Facts that a phone's network told of a contact last. */
export type ContactFactsTable = {
  account_id: number;
  phone_id: number;
  phone_key: string;
  /** The number that the network knows the person by; `lid:` and the LID where only that is known. */
  number: string;
  lid: string | null;
  about: string | null;
  /** A small JPEG. */
  photo: Buffer | null;
  is_blocked: boolean;
  fetched_at: Date;
};

/** The address book of the Business app of a number that stays in it. */
export type HandsetNamesTable = {
  account_id: number;
  phone_id: number;
  /** As `conversations.contact_key`. */
  contact_key: string;
  /** Null: removed from the address book. */
  name: string | null;
  /** The name that a profile without one got from here; null where it has its own. */
  given_name: string | null;
  said_at: Date;
};

export type ContactTables = { contact_facts: ContactFactsTable; handset_names: HandsetNamesTable };
