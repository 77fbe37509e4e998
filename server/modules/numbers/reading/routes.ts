import * as contract from '#contracts/phone-answers.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { findKnownNumbers } from './understand-numbers.ts';

export const readingRoutes: Route[] = [
  route(contract.findKnownNumbers, async (ctx, { body }) => ({
    known: [...(await findKnownNumbers(ctx, body.numbers))],
  })),
];
