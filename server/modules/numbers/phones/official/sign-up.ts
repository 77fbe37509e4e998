import { connectorsThat } from '#contracts/connectors.ts';
import type { NewOfficialSignUp, OfficialSignUp } from '#contracts/official-sign-up.ts';
import { NewPhoneNumber } from '#contracts/phone-numbers.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { recordingAct } from '#server/audit.ts';
import type { MetaAppConfig } from '#server/config.ts';
import type { SignedUpNumber } from '#server/connectors/messaging/port.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { refuseOnTrial } from '#server/modules/identity/billing/index.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { ConflictError, ProblemError } from '#server/platform/errors.ts';
import { addPhoneNumber } from '../add-phone-number.ts';
import { askForLink } from '../connect-phone.ts';
import { presentPhone } from '../present.ts';
import { getPhone, momentOf } from '../queries.ts';
import { keepSignUp } from './official-numbers.ts';

type SignedUp = Extract<SignedUpNumber, { kind: 'signed_up' }>;

/** The dialog at Meta in which a business gives the operator's app its number. */
export function findSignUp({ config }: Pick<AccountContext, 'config'>): OfficialSignUp {
  const { app, version } = config.cloudApi;
  if (!app) return { dialog_url: null };
  const query = new URLSearchParams({
    client_id: app.id,
    config_id: app.configurationId,
    response_type: 'code',
    override_default_response_type: 'true',
    display: 'popup',
  });
  return { dialog_url: `${app.dialogUrl}/${version}/dialog/oauth?${query.toString()}` };
}

/**
 * Adds the number that a business signed up with, and connects it: the app is subscribed and the number registered as with
 * any other. Throws 404 `sign_up_off`, 422 `sign_up_refused`, 409 `phone_exists`, 502 `network_refused`.
 */
export async function signUpOfficialNumber(
  ctx: AccountContext,
  { projectId, ...asked }: NewOfficialSignUp & { projectId: number },
): Promise<{ status: 200 | 201; body: PhoneNumber }> {
  // Before the code is used up, which counts once.
  await getProject(ctx, projectId);
  await refuseOnTrial(ctx);
  const { app } = ctx.config.cloudApi;
  const [connector] = connectorsThat(({ link }) => link === 'credentials');
  const take = connector && ctx.connectors[connector].takeSignUp;
  if (!app || !take)
    throw new ProblemError(404, 'sign_up_off', 'The operator of this server has set up no app at Meta');
  const taken = await take({
    code: asked.code,
    redirectUri: asked.redirect_uri,
    businessAccountId: asked.business_account_id,
    phoneNumberId: asked.phone_number_id,
  });
  if (taken.kind !== 'signed_up') throw refusal(taken);
  return recordingAct(ctx, (tx) => keep(tx, { ...asked, projectId, connector, app, taken }));
}

const refusal = ({ kind, reason }: Exclude<SignedUpNumber, SignedUp>) =>
  kind === 'later'
    ? new ProblemError(502, 'network_refused', reason)
    : new ProblemError(422, 'sign_up_refused', reason);

type Keeping = NewOfficialSignUp & {
  projectId: number;
  connector: PhoneNumber['connector'];
  app: MetaAppConfig;
  taken: SignedUp;
};

async function keep(
  tx: Tx<AccountContext>,
  { projectId, connector, app, taken, pin, name }: Keeping,
): Promise<{ status: 200 | 201; body: PhoneNumber }> {
  const { access, number } = taken;
  const known = await tx.db
    .selectFrom('phones')
    .select(['id', 'connector'])
    .where('account_id', '=', tx.account.id)
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .forUpdate()
    .executeTakeFirst();
  if (known && known.connector !== connector)
    throw new ConflictError(
      'phone_exists',
      `This project has +${number} in another way. Delete it there: its conversations stay. Then continue with Meta again.`,
    );
  const entered = { ...access, app_secret: app.secret, ...(pin !== undefined && { pin }) };
  const phone = NewPhoneNumber.parse({ phone_number: `+${number}`, name, connector, cloud: entered });
  const id = known?.id ?? (await addPhoneNumber(tx, { projectId, phone })).id;
  await keepSignUp(tx, { phoneId: id, access: entered, appId: app.id });
  await askForLink(tx, id);
  await publishLive(tx, tx.account.id, { type: 'phones.changed', project_id: projectId, phone_id: id });
  const body = await presentPhone(tx, await getPhone(tx, id), momentOf(tx));
  return { status: known ? 200 : 201, body };
}
