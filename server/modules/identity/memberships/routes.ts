import * as keys from '#contracts/account-keys.ts';
import * as contract from '#contracts/team.ts';
import { renameAccount } from '#server/modules/identity/accounts/index.ts';
import { originOf } from '#server/modules/identity/users/index.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { acceptInvitation, beginJoiningWithPasskey, seeInvitation } from './accept-invitation.ts';
import { leaveTeam, removeMember, updateMember } from './change-member.ts';
import { invite, resendInvitation, withdrawInvitation } from './invitations.ts';
import { createAccountKey, deleteAccountKey, listAccountKeys } from './account-keys.ts';
import { demandTwoFactor } from './demand-two-factor.ts';
import { getTeam } from './members.ts';
import { listOwnAccounts, switchAccount } from './own-accounts.ts';

const aLinkASecond = { rateLimit: { max: 60, timeWindow: '1 minute' } };

export const teamRoutes: Route[] = [
  route(contract.getTeam, (ctx) => getTeam(ctx)),
  route(contract.invite, (ctx, { body }) => invite(ctx, body)),
  route(contract.resendInvitation, (ctx, { params }) => resendInvitation(ctx, params)),
  route(contract.withdrawInvitation, (ctx, { params }) => withdrawInvitation(ctx, params)),
  route(contract.getInvitation, (ctx, { params }) => seeInvitation(ctx, params), aLinkASecond),
  route(
    contract.beginJoiningWithPasskey,
    (ctx, { params, body }) => beginJoiningWithPasskey(ctx, { ...params, ...body }),
    aLinkASecond,
  ),
  route(
    contract.acceptInvitation,
    (ctx, { params, body: { passkey, ...person } }, caller) => {
      const { authorization, 'accept-language': acceptLanguage } = caller.request.headers;
      const session = authorization?.replace(/^Bearer\s+/i, '').trim() || undefined;
      const origin = originOf(caller);
      return acceptInvitation(ctx, { ...params, session, person, passkey, origin, acceptLanguage });
    },
    aLinkASecond,
  ),
  route(contract.updateMember, (ctx, { params, body }) => updateMember(ctx, { ...params, change: body })),
  route(contract.removeMember, (ctx, { params }) => removeMember(ctx, params)),
  route(contract.leaveTeam, (ctx) => leaveTeam(ctx)),
  route(contract.listOwnAccounts, (ctx) => listOwnAccounts(ctx)),
  route(contract.switchAccount, (ctx, { body }, caller) =>
    switchAccount(ctx, { accountId: body.account_id, origin: originOf(caller) }),
  ),
  route(keys.listAccountKeys, (ctx) => listAccountKeys(ctx)),
  route(keys.createAccountKey, (ctx, { body }, caller) => createAccountKey(ctx, { ...body, origin: originOf(caller) })),
  route(keys.deleteAccountKey, (ctx, { params }, caller) =>
    deleteAccountKey(ctx, { ...params, origin: originOf(caller) }),
  ),
  route(contract.demandTwoFactor, (ctx, { body }, caller) =>
    demandTwoFactor(ctx, { ...body, origin: originOf(caller) }),
  ),
  route(contract.renameAccount, (ctx, { body }) => renameAccount(ctx, body.name)),
];
