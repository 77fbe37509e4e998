import * as contract from '#contracts/accounts.ts';
import * as passkeys from '#contracts/passkeys.ts';
import * as security from '#contracts/security-events.ts';
import * as twoFactor from '#contracts/two-factor.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { confirmEmail } from './email/confirm-email.ts';
import { resendConfirmation } from './email/resend-confirmation.ts';
import { updateEmail } from './email/update-email.ts';
import { getCurrentUser } from './get-current-user.ts';
import { originOf } from './origin.ts';
import { forgotPassword } from './passwords/forgot-password.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { updatePassword } from './passwords/update-password.ts';
import { regenerateApiKey } from './regenerate-api-key.ts';
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from './passkeys/passkeys.ts';
import { beginConfirmation, beginSecondStep, passkeyOptions } from './passkeys/prove-passkey.ts';
import { signInWithPasskey } from './passkeys/sign-in-with-passkey.ts';
import { register } from './register.ts';
import { listSecurityEvents } from './security-events/list-security-events.ts';
import { endSession, signOutEverywhere } from './sessions/end-session.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { login } from './sessions/login.ts';
import { logout } from './sessions/logout.ts';
import { confirmIdentity } from './two-factor/confirm-identity.ts';
import { replaceRecoveryCodes } from './two-factor/recovery-codes.ts';
import { deviceCookie, deviceTokenOf } from './two-factor/remembered-devices.ts';
import { signInWithCode } from './two-factor/sign-in-with-code.ts';
import { beginReplacement, confirmTotp, getTwoFactor, removeTotp, setUpTotp } from './two-factor/totp.ts';
import { getTestNumber, setTestNumber } from './test-number.ts';
import { updateCurrentUser } from './update-current-user.ts';

const aQuestionASecond = { rateLimit: { max: 60, timeWindow: '1 minute' } };

export const userRoutes: Route[] = [
  route(contract.getTestNumber, (ctx) => getTestNumber(ctx)),
  route(contract.setTestNumber, (ctx, { body }) => setTestNumber(ctx, body)),
  route(
    contract.register,
    (ctx, { body }, caller) =>
      register(ctx, {
        ...body,
        origin: originOf(caller),
        acceptLanguage: caller.request.headers['accept-language'],
      }),
    { rateLimit: { max: 1000, timeWindow: '1 hour' } },
  ),
  route(contract.login, (ctx, { body }, caller) =>
    login(ctx, {
      ...body,
      origin: originOf(caller),
      deviceToken: deviceTokenOf(caller.request.headers.cookie),
    }),
  ),
  route(twoFactor.signInWithCode, async (ctx, { body }, caller) => {
    const { deviceToken, ...signedIn } = await signInWithCode(ctx, { ...body, origin: originOf(caller) });
    if (deviceToken !== undefined) caller.reply.header('set-cookie', deviceCookie(ctx, deviceToken));
    return signedIn;
  }),
  route(twoFactor.confirmIdentity, (ctx, { body }, caller) =>
    confirmIdentity(ctx, { ...body, origin: originOf(caller) }),
  ),
  route(twoFactor.getTwoFactor, (ctx) => getTwoFactor(ctx)),
  route(twoFactor.setUpTotp, (ctx, { query }) => (query.replace === 'true' ? beginReplacement(ctx) : setUpTotp(ctx))),
  route(twoFactor.confirmTotp, (ctx, { body }, caller) => confirmTotp(ctx, { ...body, origin: originOf(caller) })),
  route(twoFactor.removeTotp, (ctx, _input, caller) => removeTotp(ctx, { origin: originOf(caller) })),
  route(twoFactor.replaceRecoveryCodes, (ctx, _input, caller) =>
    replaceRecoveryCodes(ctx, { origin: originOf(caller) }),
  ),
  route(passkeys.listPasskeys, (ctx) => listPasskeys(ctx)),
  route(passkeys.beginPasskey, (ctx) => beginPasskey(ctx)),
  route(passkeys.addPasskey, (ctx, { body }, caller) => addPasskey(ctx, { ...body, origin: originOf(caller) })),
  route(passkeys.renamePasskey, (ctx, { params, body }) => renamePasskey(ctx, { ...params, ...body })),
  route(passkeys.removePasskey, (ctx, { params }, caller) =>
    removePasskey(ctx, { ...params, origin: originOf(caller) }),
  ),
  route(passkeys.beginPasskeySignIn, (ctx) => passkeyOptions(ctx, { purpose: 'sign_in' }), aQuestionASecond),
  route(
    passkeys.signInWithPasskey,
    (ctx, { body }, caller) => signInWithPasskey(ctx, { ...body, origin: originOf(caller) }),
    aQuestionASecond,
  ),
  route(passkeys.beginPasskeyStep, (ctx, { body }) => beginSecondStep(ctx, body), aQuestionASecond),
  route(passkeys.beginPasskeyConfirmation, (ctx) => beginConfirmation(ctx)),
  route(contract.logout, (ctx, _input, caller) => logout(ctx, { origin: originOf(caller) })),
  route(
    contract.forgotPassword,
    (ctx, { body }, caller) => forgotPassword(ctx, { ...body, origin: originOf(caller) }),
    {
      rateLimit: { max: 60, timeWindow: '1 hour' },
    },
  ),
  route(contract.resetPassword, (ctx, { body }, caller) => resetPassword(ctx, { ...body, origin: originOf(caller) }), {
    rateLimit: { max: 60, timeWindow: '1 hour' },
  }),
  route(contract.updateEmail, (ctx, { body }, caller) => updateEmail(ctx, { ...body, origin: originOf(caller) })),
  route(contract.updatePassword, (ctx, { body }, caller) => updatePassword(ctx, { ...body, origin: originOf(caller) })),
  route(contract.regenerateApiKey, (ctx, _input, caller) => regenerateApiKey(ctx, { origin: originOf(caller) })),
  route(contract.getCurrentUser, (ctx, _input, caller) => getCurrentUser(ctx, { origin: originOf(caller) })),
  route(contract.updateCurrentUser, (ctx, { body }, caller) => updateCurrentUser(ctx, body, originOf(caller))),
  route(contract.confirmEmail, (ctx, { body }, caller) => confirmEmail(ctx, { ...body, origin: originOf(caller) }), {
    rateLimit: { max: 60, timeWindow: '1 hour' },
  }),
  route(contract.resendConfirmation, (ctx) => resendConfirmation(ctx)),
  route(security.listSecurityEvents, (ctx, { query }) => listSecurityEvents(ctx, query)),
  route(security.listSessions, (ctx) => listSessions(ctx)),
  route(security.endSession, (ctx, { params }, caller) => endSession(ctx, { ...params, origin: originOf(caller) })),
  route(security.signOutEverywhere, (ctx, { query }, caller) =>
    signOutEverywhere(ctx, { ...query, origin: originOf(caller) }),
  ),
];
