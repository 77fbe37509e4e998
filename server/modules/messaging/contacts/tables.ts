/** Facts that a phone's network told of a contact last. */
export type ContactFactsTable = {
  account_id: number;
  phone_id: number;
  phone_key: string;
  /** The number that the network knows the person by. */
  number: string;
  lid: string | null;
  about: string | null;
  /** A small JPEG. */
  photo: Buffer | null;
  is_blocked: boolean;
  fetched_at: Date;
};

export type ContactTables = { contact_facts: ContactFactsTable };
