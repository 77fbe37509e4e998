/** An account's own list of what a delivered message of the official API costs. */
export type MessagePriceListTable = {
  account_id: number;
  /** Two letters; `*` for all that have no price of their own. */
  country: string;
  category: string;
  /** YYYY-MM-DD. */
  valid_from: string;
  currency: string;
  price: string;
};

/** Delivered messages of official numbers as Meta counts them, by the day of the account. */
export type PhoneCostsTable = {
  account_id: number;
  phone_id: number;
  /** YYYY-MM-DD. */
  day: string;
  /** Empty where the number does not tell. */
  country: string;
  category: string;
  is_billed: boolean;
  count: number;
};

export type CostTables = { message_price_list: MessagePriceListTable; phone_costs: PhoneCostsTable };
