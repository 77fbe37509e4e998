import * as contract from '#contracts/audit.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { exportAuditEvents, listAuditEvents } from './list-audit-events.ts';

export const auditRoutes: Route[] = [
  route(contract.listAuditEvents, (ctx, { query }) => listAuditEvents(ctx, query)),
  route(contract.exportAuditEvents, (ctx, { query }) => exportAuditEvents(ctx, query)),
];
