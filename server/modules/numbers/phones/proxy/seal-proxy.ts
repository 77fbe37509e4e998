import { connectorTraits } from '#contracts/connectors.ts';
import { parseProxy } from '#contracts/phone-proxy.ts';
import type { Context } from '#server/context.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { forbiddenUrlReason } from '#server/platform/http/address-policy.ts';
import type { PhoneChange } from '../change-phone.ts';
import type { PhoneRow } from '../tables.ts';

/** The row is named in what is encrypted with it: moved to another phone it does not open. */
export const proxyContext = (phoneId: number) => `phone:${phoneId}:proxy`;

/** The columns for a proxy, or for none. Refuses one that leads to an address which may not be called. */
export function sealProxy(ctx: Context, phone: PhoneRow, proxy: string | null): PhoneChange {
  if (proxy === null) return { proxy: null, proxy_sealed: null };
  if (connectorTraits[phone.connector].link !== 'qr') {
    throw new InvalidInputError([{ path: 'proxy', message: 'Only a phone that is linked by a QR code has a proxy' }]);
  }
  const { url, shown } = checkProxy(ctx, proxy);
  return { proxy: shown, proxy_sealed: ctx.secrets.seal(url, proxyContext(phone.id)) };
}

export function checkProxy(ctx: Context, proxy: string): { url: string; shown: string } {
  const parsed = parseProxy(proxy);
  if (!parsed) throw new InvalidInputError([{ path: 'proxy', message: 'Enter the address of a proxy' }]);
  const host = parsed.shown.replace(/^[a-z0-9]+:/, 'http:');
  const message = forbiddenUrlReason(host, ctx.config.areWebhooksToPrivateAddressesAllowed);
  if (message !== undefined) throw new InvalidInputError([{ path: 'proxy', message }]);
  return parsed;
}

/** The whole address of a phone's proxy. */
export function openProxy(ctx: Context, { id, proxy_sealed: sealed }: PhoneRow): string | undefined {
  return sealed === null ? undefined : ctx.secrets.open(sealed, proxyContext(id));
}
