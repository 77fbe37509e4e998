import type { ProxyTrial } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { getPhone } from '../queries.ts';
import { checkProxy, openProxy } from './seal-proxy.ts';

/** Tries the proxy that was typed, else the phone's own. */
export async function testPhoneProxy(
  ctx: AccountContext,
  input: { phoneId: number; proxy: string | undefined },
): Promise<ProxyTrial> {
  const phone = await getPhone(ctx, input.phoneId);
  const url = input.proxy === undefined ? openProxy(ctx, phone) : checkProxy(ctx, input.proxy).url;
  const { testProxy } = ctx.connectors[phone.connector];
  if (url === undefined || !testProxy) throw new ConflictError('no_proxy', 'This phone has no proxy to test');
  const trial = await testProxy(url);
  if (!trial.works) return { works: false, message: trial.reason };
  return { works: true, message: `WhatsApp was reached through the proxy in ${trial.tookMs} ms.` };
}
