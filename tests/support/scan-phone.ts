import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import type { EndpointCall } from '#contracts/endpoint.ts';
import type { ApiClient } from './api-client.ts';

type NewPhone = EndpointCall<typeof addPhoneNumber>['body'] & { phone_number: string };

/**
 * Adds a WhatsApp phone to a project and scans its code with the stand-in's handset. Answers its id; it is connected soon
 * after.
 */
export async function scanPhone(
  control: { scan: (code: string, number: string) => Promise<unknown> },
  api: ApiClient,
  { projectId, ...body }: NewPhone & { projectId: number },
): Promise<number> {
  const { body: phone } = await api.call(addPhoneNumber, { params: { projectId }, body });
  const { body: link } = await api.call(connectPhone, { params: { phoneId: phone.id } });
  if (!('qr_payload' in link)) throw new Error(`No code was offered: ${JSON.stringify(link)}`);
  await control.scan(link.qr_payload, body.phone_number);
  return phone.id;
}
