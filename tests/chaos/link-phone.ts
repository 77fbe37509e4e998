import { expect } from 'vitest';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { scanPhone } from '#tests/support/scan-phone.ts';
import type { StandInControl } from '#tests/whatsapp/control.ts';

/** A WhatsApp phone with this number, linked by its code. */
export async function linkPhone(
  control: StandInControl,
  api: ApiClient,
  { projectId, number }: { projectId: number; number: string },
): Promise<void> {
  const params = { projectId };
  const unprotected = { max_daily_messages: 1_000_000, protection: { is_protected: false } };
  const phoneId = await scanPhone(control, api, { projectId, phone_number: number, ...unprotected });
  const status = async () => {
    const { data } = (await api.call(listPhoneNumbers, { params })).body;
    return data.find(({ id }) => id === phoneId)?.status;
  };
  await expect.poll(status, { timeout: 30_000 }).toBe('connected');
}
