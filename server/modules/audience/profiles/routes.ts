import * as contract from '#contracts/profiles.ts';
import { identifyProfile as identifyProfileContract } from '#contracts/identify.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { createProfile } from './create-profile.ts';
import { deleteProfile } from './delete-profile.ts';
import { getProfile } from './get-profile.ts';
import { identifyProfile } from './identify-profile.ts';
import { listFieldValues } from './list-field-values.ts';
import { listProfileFields } from './list-profile-fields.ts';
import { updateProfile } from './update-profile.ts';
import { upsertProfile } from './upsert-profile.ts';

export const profileRoutes: Route[] = [
  route(contract.createProfile, (ctx, { body }) => createProfile(ctx, body)),
  route(contract.upsertProfile, (ctx, { body }) => upsertProfile(ctx, body)),
  route(identifyProfileContract, (ctx, { body }) => identifyProfile(ctx, body)),
  route(contract.getProfile, (ctx, { params }) => getProfile(ctx, params)),
  route(contract.updateProfile, (ctx, { params, body }) => updateProfile(ctx, { ...params, change: body })),
  route(contract.deleteProfile, async (ctx, { params }) => {
    await deleteProfile(ctx, params);
    return undefined;
  }),
  route(contract.listProfileFieldValues, (ctx, { query }) => listFieldValues(ctx, query)),
  route(contract.listProfileFields, (ctx, { query }) => listProfileFields(ctx, query)),
];
