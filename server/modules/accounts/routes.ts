import * as contract from '#contracts/accounts.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { getCurrentUser } from './get-current-user.ts';
import { forgotPassword } from './passwords/forgot-password.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { updatePassword } from './passwords/update-password.ts';
import { regenerateApiKey } from './regenerate-api-key.ts';
import { register } from './register.ts';
import { login } from './sessions/login.ts';
import { logout } from './sessions/logout.ts';
import { updateCurrentUser } from './update-current-user.ts';
import { updateEmail } from './update-email.ts';

export const accountRoutes: Route[] = [
  route(contract.register, (ctx, { body }) => register(ctx, body), {
    rateLimit: { max: 1000, timeWindow: '1 hour' },
  }),
  route(contract.login, (ctx, { body }, { ip }) => login(ctx, { ...body, ip })),
  route(contract.logout, (ctx) => logout(ctx)),
  route(contract.forgotPassword, (ctx, { body }) => forgotPassword(ctx, body), {
    rateLimit: { max: 60, timeWindow: '1 hour' },
  }),
  route(contract.resetPassword, (ctx, { body }, { ip }) => resetPassword(ctx, { ...body, ip }), {
    rateLimit: { max: 60, timeWindow: '1 hour' },
  }),
  route(contract.updateEmail, (ctx, { body }) => updateEmail(ctx, body)),
  route(contract.updatePassword, (ctx, { body }, { ip }) => updatePassword(ctx, { ...body, ip })),
  route(contract.regenerateApiKey, (ctx) => regenerateApiKey(ctx)),
  route(contract.getCurrentUser, (ctx) => getCurrentUser(ctx)),
  route(contract.updateCurrentUser, (ctx, { body }) => updateCurrentUser(ctx, body)),
];
