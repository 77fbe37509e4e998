import type { z } from 'zod';
import type { RequestCaller } from '#contracts/request-log.ts';

/** Requests that programs made, by days; those of an api_key that name no project are of each. */
type ApiRequestsTable = {
  account_id: number;
  project_id: number | null;
  id: number;
  created_at: Date;
  request_id: string;
  method: string;
  path: string;
  status: number;
  code: string | null;
  duration_ms: number;
  caller: z.infer<typeof RequestCaller>;
  key_id: number | null;
  body: string | null;
  omitted: number;
};

export type RequestLogTables = {
  api_requests: ApiRequestsTable;
};
