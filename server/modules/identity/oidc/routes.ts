import * as contract from '#contracts/oidc.ts';
import type { Context } from '#server/context.ts';
import { deviceTokenOf, originOf } from '#server/modules/identity/users/index.ts';
import { route } from '#server/route.ts';
import type { Caller, Route } from '#server/route.ts';
import { attemptCookie, attemptTokenOf, beginAttempt } from './attempts.ts';
import { beginConfirmation, confirmWithOidc } from './confirm-with-oidc.ts';
import { listIdentities, unlinkIdentity } from './linked-identities.ts';
import { signInWithOidc } from './sign-in-with-oidc.ts';

const aQuestionASecond = { rateLimit: { max: 60, timeWindow: '1 minute' } };

function redirectBy(ctx: Context, { reply }: Caller, { url, token }: { url: string; token: string }): { url: string } {
  reply.header('set-cookie', attemptCookie(ctx, token));
  return { url };
}

/** The cookie goes with the answer, whatever it is. */
function takeToken(ctx: Context, { reply, request }: Caller): string | undefined {
  reply.header('set-cookie', attemptCookie(ctx, null));
  return attemptTokenOf(request.headers.cookie);
}

export const oidcRoutes: Route[] = [
  route(contract.getSignInOptions, ({ config: { signUp, oidc } }) =>
    Promise.resolve({ sign_up: signUp, oidc: oidc ? { label: oidc.label } : null }),
  ),
  route(
    contract.beginOidc,
    async (ctx, _input, caller) => redirectBy(ctx, caller, await beginAttempt(ctx, {})),
    aQuestionASecond,
  ),
  route(
    contract.signInWithOidc,
    (ctx, { body }, caller) => {
      const { cookie, 'accept-language': acceptLanguage } = caller.request.headers;
      const token = takeToken(ctx, caller);
      const origin = originOf(caller);
      return signInWithOidc(ctx, { ...body, token, deviceToken: deviceTokenOf(cookie), origin, acceptLanguage });
    },
    aQuestionASecond,
  ),
  route(
    contract.beginOidcConfirmation,
    async (ctx, _input, caller) => redirectBy(ctx, caller, await beginConfirmation(ctx)),
    aQuestionASecond,
  ),
  route(
    contract.confirmWithOidc,
    (ctx, { body }, caller) => confirmWithOidc(ctx, { ...body, token: takeToken(ctx, caller) }),
    aQuestionASecond,
  ),
  route(contract.listIdentities, (ctx) => listIdentities(ctx)),
  route(contract.unlinkIdentity, (ctx, { params }, caller) =>
    unlinkIdentity(ctx, { ...params, origin: originOf(caller) }),
  ),
];
