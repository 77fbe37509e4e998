import * as contract from '#contracts/contacts.ts';
import { changePhoneProfile, getPhoneProfile } from '#contracts/phone-profile.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { blockContact, getContact } from './contact-facts.ts';
import * as profile from './phone-profile.ts';

export const contactRoutes: Route[] = [
  route(contract.getContact, (ctx, { params }) => getContact(ctx, params.phone)),
  route(contract.blockContact, (ctx, { params }) => blockContact(ctx, params.phone, true)),
  route(contract.unblockContact, (ctx, { params }) => blockContact(ctx, params.phone, false)),
  route(getPhoneProfile, (ctx, { params }) => profile.getPhoneProfile(ctx, params)),
  route(changePhoneProfile, (ctx, { params, body }) => profile.changePhoneProfile(ctx, { ...params, change: body })),
];
