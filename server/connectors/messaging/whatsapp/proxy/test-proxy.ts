import type { ProxyTrial } from '../../port.ts';
import { openUrl } from './open-file.ts';
import { createPhoneProxy } from './phone-proxy.ts';
import type { Egress } from './phone-proxy.ts';

const timeoutMs = 10_000;

/** Asks `origin` for a page through the proxy: any answer of its says that the proxy works. Never rejects. */
export async function testProxy(url: string, origin: string, egress: Egress): Promise<ProxyTrial> {
  const proxy = createPhoneProxy(url, egress);
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await openUrl(new URL(origin), { agent: proxy.agent, signal: timeout });
    response.destroy();
    const failure = proxy.failure();
    if (failure !== undefined) return { works: false, reason: failure };
    return { works: true, tookMs: Math.round(performance.now() - startedAt) };
  } catch {
    if (timeout.aborted)
      return { works: false, reason: 'The proxy of this phone could not be used: no answer within 10 s.' };
    return { works: false, reason: proxy.failure() ?? 'WhatsApp could not be reached through the proxy.' };
  } finally {
    proxy.agent.destroy();
  }
}
