import * as contract from '#contracts/fields.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { listFields } from './list-fields.ts';
import { putField } from './put-field.ts';

export { createFieldTyper } from './field-typer.ts';
export { giveTypes } from './put-field.ts';
export { findTypes } from './find-types.ts';

export const fieldRoutes: Route[] = [
  route(contract.listFields, (ctx, { query }) => listFields(ctx, query)),
  route(contract.putField, (ctx, { params, body }) => putField(ctx, { ...params, ...body })),
];
