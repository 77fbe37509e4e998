import { connectorTraits } from '#contracts/connectors.ts';
import type { PhoneProfile, PhoneProfileChange } from '#contracts/phone-profile.ts';
import type { PhoneQuestion } from '#server/connectors/messaging/port.ts';
import type { AccountContext } from '#server/context.ts';
import { makePortrait } from '#server/modules/messaging/media/index.ts';
import { askPhone } from '#server/modules/numbers/asking/index.ts';
import { getPhone } from '#server/modules/numbers/phones/index.ts';
import { ConflictError, InvalidInputError } from '#server/platform/errors.ts';

type Change = Extract<PhoneQuestion, { kind: 'profile' }>['change'];

/** How WhatsApp shows a linked number. Throws as `askPhone`. */
export const getPhoneProfile = (ctx: AccountContext, { phoneId }: { phoneId: number }): Promise<PhoneProfile> =>
  ask(ctx, phoneId, async () => ({}));

/** Throws as `askPhone`, and 422 for a photo that is none. */
export const changePhoneProfile = (
  ctx: AccountContext,
  { phoneId, change }: { phoneId: number; change: PhoneProfileChange },
): Promise<PhoneProfile> =>
  ask(ctx, phoneId, async () => {
    const { name, about, photo } = change;
    return {
      ...(name !== undefined && { name }),
      ...(about !== undefined && { about }),
      ...(photo !== undefined && { photo: photo && (await portraitOf(ctx, photo.id)) }),
    };
  });

async function ask(ctx: AccountContext, phoneId: number, changed: () => Promise<Change>): Promise<PhoneProfile> {
  const phone = await getPhone(ctx, phoneId);
  if (connectorTraits[phone.connector].link !== 'qr')
    throw new ConflictError('not_supported', 'Only a number that is linked by a code has a profile here');
  const change = await changed();
  const { name, about, photo } = await askPhone<'profile'>(ctx, phone, { kind: 'profile', change });
  return { name, about, photo: photo === null ? null : `data:image/jpeg;base64,${photo}` };
}

async function portraitOf(ctx: AccountContext, mediaId: string): Promise<string> {
  const portrait = await makePortrait(ctx, mediaId);
  if ('fault' in portrait) throw new InvalidInputError([{ path: 'photo.id', message: portrait.fault }]);
  return Buffer.from(portrait).toString('base64');
}
