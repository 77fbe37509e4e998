import * as contract from '#contracts/alerts.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { dismissAlert, listAlerts } from './list-alerts.ts';
import { findAlertSettings, updateAlertSettings } from './settings.ts';

export const alertRoutes: Route[] = [
  route(contract.listAlerts, (ctx, { query }) => listAlerts(ctx, query)),
  route(contract.dismissAlert, async (ctx, { params }) => {
    await dismissAlert(ctx, params);
    return undefined;
  }),
  route(contract.getAlertSettings, (ctx) => findAlertSettings(ctx, ctx.account.id)),
  route(contract.updateAlertSettings, (ctx, { body }) => updateAlertSettings(ctx, body)),
];
