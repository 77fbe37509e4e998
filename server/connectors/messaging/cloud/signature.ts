import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether the bytes are signed by the app's secret: `X-Hub-Signature-256` is `sha256=` and the HMAC in hexadecimal, made
 * over the body as it was sent. Source: developers.facebook.com/docs/graph-api/webhooks/getting-started.
 */
export function isSigned(body: Buffer, header: string | undefined, appSecret: string): boolean {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1];
  if (given === undefined) return false;
  const expected = createHmac('sha256', appSecret).update(body).digest();
  return timingSafeEqual(Buffer.from(given, 'hex'), expected);
}
