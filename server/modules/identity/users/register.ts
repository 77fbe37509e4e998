import type { SignedIn } from '#contracts/accounts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { ForbiddenError } from '#server/platform/errors.ts';
import { beginTrial } from '#server/modules/identity/billing/index.ts';
import { findOtherCell, OtherCellError } from '#server/modules/identity/cells/index.ts';
import { createPerson, preparePerson } from './create-person.ts';
import type { NewPerson } from './create-person.ts';
import { emailKey } from './email-key.ts';
import { refuseTakenEmail } from './email-taken-error.ts';
import { mailConfirmation } from './email/resend-confirmation.ts';
import { presentSignedIn } from './present.ts';

export class SignUpClosedError extends ForbiddenError {
  constructor() {
    super('sign_up_closed', 'Nobody can sign up here without an invitation');
  }
}

/** Throws 403 `sign_up_closed` where the operator lets nobody sign up by themselves, 421 for an e-mail of another cell. */
export async function register(ctx: Context, input: NewPerson): Promise<SignedIn> {
  if (ctx.config.signUp !== 'open') throw new SignUpClosedError();
  const prepared = await preparePerson(ctx, input);
  const elsewhere = await findOtherCell(ctx, { emailKey: emailKey(input.email) });
  if (elsewhere !== undefined) throw new OtherCellError(elsewhere);
  const signedIn = await refuseTakenEmail(
    inTransaction(ctx, async (tx) => {
      const { token, account } = await createPerson(tx, prepared);
      await beginTrial(tx, account.id);
      return { token, user: await presentSignedIn(tx, { person: account, isConfirmed: true }) };
    }),
  );
  if (prepared.unconfirmedSince) mailConfirmation(ctx, signedIn.user);
  return signedIn;
}
