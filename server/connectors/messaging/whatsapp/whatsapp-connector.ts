import { randomBytes } from 'node:crypto';
import { connectorTraits } from '#contracts/connectors.ts';
import { createPublicResolver } from '#server/platform/http/resolve-host.ts';
import type { Connector } from '../port.ts';
import type { Egress } from './proxy/phone-proxy.ts';
import type { WhatsAppConnectorOptions } from './connector-options.ts';

const webOrigin = 'https://web.whatsapp.com';
const ownMediaOrigin = 'https://mmg.whatsapp.net';

/** As the official clients make them, without Baileys' hash of the time. */
export const createNetworkId = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`;

/**
 * WhatsApp Web: phones are linked by QR code or pairing code, like a browser. The message id is ours and goes with the
 * message; a receiver shows an id once, so that a resend after a broken connection is harmless.
 */
export function createWhatsAppConnector(options: WhatsAppConnectorOptions): Connector {
  const { socketUrl } = options;
  const network = networkOf(options);
  let loading: ReturnType<typeof loadEngine> | undefined;
  let engine: Awaited<ReturnType<typeof loadEngine>> | undefined;

  async function loadEngine() {
    const { createWhatsAppEngine } = await import('./whatsapp-engine.ts');
    return createWhatsAppEngine(options, network);
  }

  async function load() {
    engine = await (loading ??= loadEngine());
    return engine;
  }

  return {
    name: 'whatsapp',
    engine: 'baileys',
    resendIsHarmless: true,
    concurrentSends: connectorTraits.whatsapp.concurrency,
    createNetworkId,
    openSealed: async (change, secret) => (await load()).openSealed(change, secret),
    async testProxy(url) {
      const { testProxy } = await import('./proxy/test-proxy.ts');
      return testProxy(url, socketUrl === undefined ? webOrigin : network.mediaOrigin, network.egress);
    },
    load: async () => void (await load()),
    open(input) {
      if (engine === undefined) throw new Error('The connector is not loaded');
      return engine.open(input);
    },
  };
}

/** Another server than WhatsApp's own has its media beside its socket. */
export function networkOf({ socketUrl, egress }: WhatsAppConnectorOptions): { mediaOrigin: string; egress: Egress } {
  return {
    mediaOrigin: socketUrl === undefined ? ownMediaOrigin : new URL(socketUrl.replace(/^ws/, 'http')).origin,
    egress: egress ?? { isPrivateAllowed: false, resolveHost: createPublicResolver() },
  };
}
