import { z } from 'zod';
import { ProblemError } from '#server/platform/errors.ts';
import type { EventDelivery, ProviderEvent } from '../port.ts';
import { PaymentsUnavailableError } from '../port.ts';
import type { PayPalClient } from './paypal-client.ts';

/** Printable ASCII: the database holds no NUL, and PayPal sends none. */
const Word = z.string().regex(/^[ -~]{1,200}$/);
const Resource = z.object({
  id: Word.optional(),
  billing_agreement_id: Word.optional(),
  sale_id: Word.optional(),
});
const EventBody = z.object({ id: Word, event_type: Word, resource: Resource.optional() });
const Verification = z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) });

/** The values that PayPal signs besides the bytes: the name in the request to verify, and the header. */
const signatureHeaders = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const;

/** The parts of a signature, whatever they are worth. Throws 400 `missing_signature` where one is missing. */
export function readSignature(headers: EventDelivery['headers']): (readonly [string, string])[] {
  return Object.entries(signatureHeaders).map(([name, header]) => {
    const value = headers[header];
    if (!value) throw new ProblemError(400, 'missing_signature', 'The PayPal signature headers are missing');
    return [name, value] as const;
  });
}

/** Reads an event once PayPal itself has said that it sent exactly these bytes. */
export async function readPayPalEvent(
  client: PayPalClient,
  webhookId: string,
  { headers, body }: EventDelivery,
): Promise<ProviderEvent> {
  const signature = readSignature(headers);
  // The body must be exactly one JSON value, so that none of its bytes can change the request that it becomes a part
  // of.
  const event = parseEvent(body);
  const fields = JSON.stringify({ ...Object.fromEntries(signature), webhook_id: webhookId });
  const { status, body: answer } = await client({
    method: 'POST',
    path: '/v1/notifications/verify-webhook-signature',
    // The signature is over the bytes as they came: another spelling of the same JSON does not verify.
    body: Buffer.concat([Buffer.from(`${fields.slice(0, -1)},"webhook_event":`), body, Buffer.from('}')]),
    // Headers that PayPal cannot have sent.
    expects: [400, 422],
  });
  const verification = Verification.safeParse(answer);
  if (status === 200 && !verification.success) throw new PaymentsUnavailableError({ cause: verification.error });
  if (verification.data?.verification_status !== 'SUCCESS') {
    throw new ProblemError(401, 'invalid_signature', 'PayPal did not sign this event');
  }
  return toProviderEvent(event);
}

function parseEvent(body: Buffer): z.output<typeof EventBody> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new ProblemError(400, 'malformed_json', 'The request body is not valid JSON');
  }
  const event = EventBody.safeParse(value);
  if (!event.success) throw new ProblemError(400, 'malformed_event', 'The request body is not a PayPal event');
  return event.data;
}

/** A sale names its subscription; what is given back of it names the sale alone. */
function toProviderEvent({ id, event_type: type, resource = {} }: z.output<typeof EventBody>): ProviderEvent {
  if (type.startsWith('BILLING.SUBSCRIPTION.')) return { id, type, orderId: resource.id ?? null, paymentId: null };
  if (!type.startsWith('PAYMENT.SALE.')) return { id, type, orderId: null, paymentId: null };
  const paymentId = resource.sale_id ?? resource.id ?? null;
  return { id, type, orderId: resource.billing_agreement_id ?? null, paymentId };
}
