export type TestOrdersTable = {
  order_id: string;
  request_id: string;
  account_id: number;
  plan_id: number;
  duration_months: number;
  approved_at: Date | null;
  declined_at: Date | null;
  cancelled_at: Date | null;
  created_at: Date;
};

export type TestPaymentTables = {
  test_orders: TestOrdersTable;
};
