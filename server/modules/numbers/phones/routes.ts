import { connectorTraits } from '#contracts/connectors.ts';
import type { ConnectorName } from '#contracts/connectors.ts';
import { getPhoneHistory as getPhoneHistoryContract } from '#contracts/phone-history.ts';
import * as signUpContract from '#contracts/official-sign-up.ts';
import * as contract from '#contracts/phone-numbers.ts';
import { connectProject } from '#contracts/projects.ts';
import { isPermitted, requirePermission } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { findHealthHistory, listLog } from '#server/modules/numbers/health/index.ts';
import { route } from '#server/route.ts';
import { originOf } from '#server/modules/identity/users/index.ts';
import type { Route } from '#server/route.ts';
import { addPhoneNumber } from './add-phone-number.ts';
import { connectPhone, connectProjectPhone, requestPairingCode } from './connect-phone.ts';
import { deletePhoneNumber } from './delete-phone-number.ts';
import { disconnectPhone } from './disconnect-phone.ts';
import { getPhoneHistory } from './history/histories.ts';
import { listPhoneNumbers } from './list-phone-numbers.ts';
import { findSignUp, signUpOfficialNumber } from './official/sign-up.ts';
import { testOfficialNumber } from './official/test-official-number.ts';
import { presentPhone } from './present.ts';
import { getPhone, momentOf } from './queries.ts';
import { testPhoneProxy } from './proxy/test-phone-proxy.ts';
import { updatePhoneNumber } from './update-phone-number.ts';

export const phoneNumberRoutes: Route[] = [
  route(contract.listPhoneNumbers, (ctx, { params, query }) => listPhoneNumbers(ctx, { ...params, ...query })),
  route(contract.listAllPhoneNumbers, (ctx, { query }) => listPhoneNumbers(ctx, query)),
  route(contract.addPhoneNumber, (ctx, { params, body }) => {
    requirePhonesOf(ctx, body.connector);
    return addPhoneNumber(ctx, { projectId: params.projectId, phone: body });
  }),
  route(contract.getPhoneNumber, async (ctx, { params }) =>
    presentPhone(ctx, await getPhone(ctx, params.phoneId), momentOf(ctx)),
  ),
  route(contract.getPhoneHealthHistory, async (ctx, { params }) => {
    const { id } = await getPhone(ctx, params.phoneId);
    return findHealthHistory(ctx, id);
  }),
  route(getPhoneHistoryContract, (ctx, { params }) => getPhoneHistory(ctx, params)),
  route(contract.listPhoneLog, async (ctx, { params, query }) => {
    const { id } = await getPhone(ctx, params.phoneId);
    return listLog(ctx, { phoneId: id, ...query });
  }),
  route(contract.updatePhoneNumber, (ctx, { params, body }, caller) =>
    updatePhoneNumber(ctx, { phoneId: params.phoneId, change: body, origin: originOf(caller) }),
  ),
  route(contract.deletePhoneNumber, async (ctx, { params }) => {
    await requirePhone(ctx, params);
    await deletePhoneNumber(ctx, params);
    return undefined;
  }),
  route(contract.connectPhone, async (ctx, { params }) => {
    await requirePhone(ctx, params);
    return answerLink(await connectPhone(ctx, params));
  }),
  route(connectProject, async (ctx, { params }) => answerLink(await connectProjectPhone(ctx, params))),
  route(contract.requestPairingCode, (ctx, { params }) => requestPairingCode(ctx, params)),
  route(contract.testPhoneProxy, (ctx, { params, body }) =>
    testPhoneProxy(ctx, { phoneId: params.phoneId, proxy: body.proxy }),
  ),
  route(contract.testPhoneNumber, (ctx, { params }) => testOfficialNumber(ctx, params)),
  route(signUpContract.getOfficialSignUp, (ctx) => Promise.resolve(findSignUp(ctx))),
  route(signUpContract.signUpOfficialNumber, (ctx, { params, body }) =>
    signUpOfficialNumber(ctx, { ...params, ...body }),
  ),
  route(contract.disconnectPhone, async (ctx, { params }) => {
    await requirePhone(ctx, params);
    return disconnectPhone(ctx, params);
  }),
];

/** A member who may change only sandboxes is refused other kinds of phones. */
function requirePhonesOf(ctx: AccountContext, connector: ConnectorName): void {
  if (!connectorTraits[connector].isSimulated) requirePermission(ctx, 'phones:write');
}

async function requirePhone(ctx: AccountContext, { phoneId }: { phoneId: number }): Promise<void> {
  if (isPermitted(ctx.actor, 'phones:write')) return;
  requirePhonesOf(ctx, (await getPhone(ctx, phoneId)).connector);
}

/** A link that offers nothing yet is a 202: ask again. */
function answerLink(body: contract.LinkState): { status: 200 | 202; body: contract.LinkState } {
  const isWaiting = 'status' in body && body.status === 'connecting';
  return { status: isWaiting ? 202 : 200, body };
}
