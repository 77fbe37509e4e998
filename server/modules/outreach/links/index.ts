import * as contract from '#contracts/links.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { getLinkSettings, putLinkSettings } from './settings.ts';

export { clickedOf, countClicked, findLinks, forgetClicks } from './clicks-of.ts';
export { mountLinks } from './mount.ts';
export { exampleLinks, ownLinks } from './own-links.ts';
export type { OwnLinks } from './own-links.ts';

export const linkRoutes: Route[] = [
  route(contract.getLinkSettings, (ctx) => getLinkSettings(ctx)),
  route(contract.putLinkSettings, (ctx, { body }) => putLinkSettings(ctx, body)),
];
