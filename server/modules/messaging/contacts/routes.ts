import * as contract from '#contracts/contacts.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { blockContact, getContact } from './contact-facts.ts';

export const contactRoutes: Route[] = [
  route(contract.getContact, (ctx, { params }) => getContact(ctx, params.phone)),
  route(contract.blockContact, (ctx, { params }) => blockContact(ctx, params.phone, true)),
  route(contract.unblockContact, (ctx, { params }) => blockContact(ctx, params.phone, false)),
];
