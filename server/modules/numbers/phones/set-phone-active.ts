import type { AccountContext } from '#server/context.ts';
import { getPhone } from './queries.ts';
import { updatePhoneNumber } from './update-phone-number.ts';

/** Takes the phone into the rotation or out of it; whether that changed anything. */
export async function setPhoneActive(
  ctx: AccountContext,
  { phoneId, isActive }: { phoneId: number; isActive: boolean },
): Promise<boolean> {
  const phone = await getPhone(ctx, phoneId);
  if (phone.is_active === isActive) return false;
  await updatePhoneNumber(ctx, { phoneId, change: { is_active: isActive } });
  return true;
}
