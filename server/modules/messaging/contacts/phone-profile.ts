import { connectorTraits } from '#contracts/connectors.ts';
import type { PhoneProfile, PhoneProfileChange } from '#contracts/phone-profile.ts';
import type { PhoneQuestion, ProfileAccess, TemplateAnswer } from '#server/connectors/messaging/port.ts';
import type { AccountContext } from '#server/context.ts';
import { makePortrait } from '#server/modules/messaging/media/index.ts';
import { askPhone } from '#server/modules/numbers/asking/index.ts';
import { findOfficialCredentials, getPhone } from '#server/modules/numbers/phones/index.ts';
import type { PhoneRow } from '#server/modules/numbers/phones/index.ts';
import { ConflictError, InvalidInputError, ProblemError } from '#server/platform/errors.ts';

type Change = Extract<PhoneQuestion, { kind: 'profile' }>['change'];

/** How WhatsApp shows a number. Throws as `askPhone`, and 502 `network_refused`. */
export async function getPhoneProfile(ctx: AccountContext, { phoneId }: { phoneId: number }): Promise<PhoneProfile> {
  const phone = await getPhone(ctx, phoneId);
  const official = await findOfficial(ctx, phone);
  return official ? readOfficial(official) : ask(ctx, phone, {});
}

/** Throws as `getPhoneProfile`, 422 for a photo that is none, and 409 `not_supported` for what Meta lets nobody change. */
export async function changePhoneProfile(
  ctx: AccountContext,
  { phoneId, change: { name, about, photo } }: { phoneId: number; change: PhoneProfileChange },
): Promise<PhoneProfile> {
  const phone = await getPhone(ctx, phoneId);
  const official = await findOfficial(ctx, phone);
  if (official) {
    if (name !== undefined) throw notSupported('Meta reviews the name of an official number: change it in its manager');
    if (about === null) throw notSupported('Meta lets nobody take the text of an official number away: enter another');
    if (photo === null)
      throw notSupported('Meta lets nobody take the photo of an official number away: choose another');
  }
  const change = {
    ...(name !== undefined && { name }),
    ...(about !== undefined && { about }),
    ...(photo !== undefined && { photo: photo && (await portraitOf(ctx, photo.id)) }),
  };
  if (!official) return ask(ctx, phone, change);
  const { profiles, credentials } = official;
  const changed = await profiles.change(credentials, {
    ...(typeof change.about === 'string' && { about: change.about }),
    ...(typeof change.photo === 'string' && { photo: Buffer.from(change.photo, 'base64') }),
  });
  bodyOf(changed);
  return readOfficial(official);
}

const notSupported = (message: string) => new ConflictError('not_supported', message);

type Official = { profiles: ProfileAccess; credentials: string };

/** Undefined for a number whose session is asked. */
async function findOfficial(ctx: AccountContext, phone: PhoneRow): Promise<Official | undefined> {
  const { profiles } = ctx.connectors[phone.connector];
  const owned = { accountId: ctx.account.id, phoneId: phone.id };
  const credentials = profiles && (await findOfficialCredentials(ctx, owned));
  return profiles && credentials !== undefined ? { profiles, credentials } : undefined;
}

async function readOfficial({ profiles, credentials }: Official): Promise<PhoneProfile> {
  const { name, about, photo } = bodyOf(await profiles.read(credentials));
  return { name, about, photo: photo && `data:image/jpeg;base64,${Buffer.from(photo).toString('base64')}` };
}

function bodyOf<T>(answer: TemplateAnswer<T>): T {
  if (answer.kind === 'answered') return answer.body;
  throw new ProblemError(502, 'network_refused', answer.reason);
}

async function ask(ctx: AccountContext, phone: PhoneRow, change: Change): Promise<PhoneProfile> {
  if (connectorTraits[phone.connector].link !== 'qr') throw notSupported('A sandbox has no profile');
  const { name, about, photo } = await askPhone<'profile'>(ctx, phone, { kind: 'profile', change });
  return { name, about, photo: photo === null ? null : `data:image/jpeg;base64,${photo}` };
}

async function portraitOf(ctx: AccountContext, mediaId: string): Promise<string> {
  const portrait = await makePortrait(ctx, mediaId);
  if ('fault' in portrait) throw new InvalidInputError([{ path: 'photo.id', message: portrait.fault }]);
  return Buffer.from(portrait).toString('base64');
}
