import type { CloudSetup, NumberCheck } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
import { getPhone } from '../queries.ts';
import { releaseNumber } from './number-holds.ts';
import { findOfficialCredentials, findOfficialSetups, notOfficial } from './official-numbers.ts';
import { saveNumberFacts } from './shared-numbers.ts';

/** Says of each thing that the number needs whether it is right, and keeps what Meta says of the number. */
export async function testOfficialNumber(
  ctx: AccountContext,
  input: { phoneId: number },
): Promise<{ checks: NumberCheck[] }> {
  const phone = await getPhone(ctx, input.phoneId);
  const owned = { accountId: ctx.account.id, phoneId: phone.id };
  const credentials = await findOfficialCredentials(ctx, owned);
  const { testCredentials } = ctx.connectors[phone.connector];
  if (credentials === undefined || !testCredentials) throw notOfficial();
  const { checks, facts } = await testCredentials({ credentials, expectedNumber: phone.number ?? '' });
  if (facts) await saveNumberFacts(ctx, { ...owned, facts });
  if (checks.every(({ ok }) => ok)) await releaseNumber(ctx, { ...owned, projectId: phone.project_id });
  const setup = (await findOfficialSetups(ctx, ctx.account.id, [phone.id])).get(phone.id);
  return { checks: [...checks, webhookCheck(setup)] };
}

function webhookCheck(setup: CloudSetup | undefined): NumberCheck {
  const name = 'webhook';
  if (setup?.webhook_seen_at) return { name, ok: true, message: 'Webhooks of Meta arrive' };
  if (setup?.signed_up) {
    const message = 'None has come yet. Write to the number from another phone; where none comes, tell the operator.';
    return { name, ok: false, message };
  }
  if (setup?.webhook_verified_at) {
    const message =
      'Meta has verified the callback URL; none has come yet. Subscribe the field messages, and write to the number.';
    return { name, ok: false, message };
  }
  return {
    name,
    ok: false,
    message: 'Enter the callback URL and the verify token in the app at Meta, under WhatsApp, Configuration.',
  };
}
