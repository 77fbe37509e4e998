import type { Agent } from 'node:http';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import { forbiddenUrlReason } from '#server/platform/http/address-policy.ts';
import { failureText } from '#server/platform/http/failure-text.ts';
import { checkedLookup } from '#server/platform/http/resolve-host.ts';
import type { ResolveHost } from '#server/platform/http/resolve-host.ts';

/** As the library for SOCKS has it, about. */
const answerMs = 20_000;

/** Which addresses the product's own connections may lead to. */
export type Egress = { isPrivateAllowed: boolean; resolveHost: ResolveHost };

/** The way of a phone's connections, files included, through a proxy of its owner's. */
export type PhoneProxy = {
  readonly agent: Agent;
  /** Why the last connection did not come about, a sentence; undefined where it did, or was not tried. */
  failure(): string | undefined;
};

/** `http:`, `https:` or `socks5:` with user name and password. */
export function createPhoneProxy(url: string, { isPrivateAllowed, resolveHost }: Egress): PhoneProxy {
  const parsed = new URL(url);
  const lookup = checkedLookup(resolveHost, isPrivateAllowed);
  let failure: string | undefined;
  const agent = parsed.protocol === 'socks5:' ? socksAgent(parsed, lookup) : httpAgent(parsed, lookup, onAnswer);
  const connect = agent.connect.bind(agent) as (...args: unknown[]) => Promise<never>;
  agent.connect = async (...args: unknown[]) => {
    failure = undefined;
    try {
      // A socket looks up names only: an address in the URL itself is checked here.
      const forbidden = forbiddenUrlReason(`http://${parsed.host}`, isPrivateAllowed);
      if (forbidden !== undefined) throw new Error(forbidden);
      return await connect(...args);
    } catch (error) {
      failure = `The proxy of this phone could not be used: ${words(error)}.`;
      throw error;
    }
  };

  function onAnswer(status: number): void {
    if (status !== 200) failure = `The proxy of this phone could not be used: ${statusWords(status)}.`;
  }

  return { agent, failure: () => failure };
}

type Lookup = ReturnType<typeof checkedLookup>;

function httpAgent(url: URL, lookup: Lookup, onAnswer: (status: number) => void): HttpsProxyAgent<string> {
  const agent = new HttpsProxyAgent<string>(url.href, { lookup });
  const connect = agent.connect.bind(agent);
  // The library waits for ever for a proxy that says nothing. Its arguments are read as it begins.
  agent.connect = async (...args) => {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(new Error('no answer in time')), answerMs);
    agent.connectOpts = { ...agent.connectOpts, signal: giveUp.signal };
    return connect(...args).finally(() => clearTimeout(timer));
  };
  agent.on('proxyConnect', ({ statusCode }: { statusCode: number }) => onAnswer(statusCode));
  return agent;
}

/** Names are looked up by the proxy, so that nothing of where the phone connects to is seen beside it. */
function socksAgent(url: URL, lookup: Lookup): SocksProxyAgent {
  return new SocksProxyAgent(url.href.replace(/^socks5:/, 'socks5h:'), { socketOptions: { lookup } });
}

function statusWords(status: number): string {
  if (status === 407) return 'it refuses the user name and password';
  if (status === 403) return 'it does not allow connections to WhatsApp';
  return `it answered with HTTP ${status}`;
}

const socksWords: readonly (readonly [RegExp, string])[] = [
  [/authentication failed|auth(entication)? type/i, 'it refuses the user name and password'],
  [/NotAllowed/i, 'it does not allow connections to WhatsApp'],
  [/HostUnreachable|NetworkUnreachable|ConnectionRefused/i, 'it cannot reach WhatsApp'],
  [/timed out/i, 'it did not answer in time'],
  [
    /Received invalid Socks|ended before receiving CONNECT|Proxy connection ended|Socket closed/i,
    'what answers there is no such proxy',
  ],
];

function words(error: unknown): string {
  // The library for SOCKS keeps the text of an error and drops its code.
  const code = error instanceof Error ? /\bE[A-Z]{4,}\b/.exec(error.message)?.[0] : undefined;
  const text = failureText(code === undefined ? error : Object.assign(new Error(code), { code }));
  const known = socksWords.find(([pattern]) => pattern.test(text))?.[1];
  return known ?? text.replace(/\.$/, '').replace(/^./, (first) => first.toLowerCase());
}
