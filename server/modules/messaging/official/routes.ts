import { listPhoneNotices } from '#contracts/phone-numbers.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { listNotices } from './notices.ts';

export const officialRoutes: Route[] = [
  route(listPhoneNotices, (ctx, { params, query }) => listNotices(ctx, { ...params, ...query })),
];
