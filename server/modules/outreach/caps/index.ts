import * as contract from '#contracts/message-caps.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { listCaps, putCap } from './caps.ts';

export { findCaps, hasCaps } from './find-caps.ts';
export { forgetReservations, isCappedSql, removeOldReservations, settleReservations } from './release.ts';
export { capWishes, uncapped } from './reserve.ts';
export type { Capping } from './reserve.ts';

export const capRoutes: Route[] = [
  route(contract.listMessageCaps, (ctx) => listCaps(ctx)),
  route(contract.putMessageCap, (ctx, { body }) => putCap(ctx, body)),
];
