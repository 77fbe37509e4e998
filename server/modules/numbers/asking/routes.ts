import * as contract from '#contracts/phone-answers.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { checkNumber } from './check-number.ts';

export const askingRoutes: Route[] = [
  route(contract.checkNumber, (ctx, { params, query }) => checkNumber(ctx, { ...params, ...query })),
];
