import { getOfficialFigures } from '#contracts/official-figures.ts';
import { listPhoneNotices } from '#contracts/phone-numbers.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { getFigures } from './figures.ts';
import { listNotices } from './notices.ts';

export const officialRoutes: Route[] = [
  route(listPhoneNotices, (ctx, { params, query }) => listNotices(ctx, { ...params, ...query })),
  route(getOfficialFigures, (ctx, { params }) => getFigures(ctx, params.phoneId)),
];
