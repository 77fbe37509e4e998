import { expect } from 'vitest';
import { addPhoneNumber, connectPhone, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { StandInControl } from '#tests/whatsapp/control.ts';

/** A WhatsApp phone with this number, linked by its code. */
export async function linkPhone(
  control: StandInControl,
  api: ApiClient,
  { projectId, number }: { projectId: number; number: string },
): Promise<void> {
  const params = { projectId };
  const body = { phone_number: number, max_daily_messages: 1_000_000, protection: { is_protected: false } };
  const { body: phone } = await api.call(addPhoneNumber, { params, body });
  const { body: link } = await api.call(connectPhone, { params: { phoneId: phone.id } });
  if (!('qr_payload' in link)) throw new Error(`No code was offered: ${JSON.stringify(link)}`);
  await control.scan(link.qr_payload, number);
  const status = async () => {
    const { data } = (await api.call(listPhoneNumbers, { params })).body;
    return data.find(({ id }) => id === phone.id)?.status;
  };
  await expect.poll(status, { timeout: 30_000 }).toBe('connected');
}
