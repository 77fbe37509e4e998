import type { IncomingHttpHeaders } from 'node:http';

/**
 * Programs that open addresses for nobody: previews of messengers, crawlers, scanners of mail, tools. WhatsApp's own
 * preview is asked for by the sender's phone or server as `WhatsApp/…`. Cubot makes phones.
 */
const programs =
  /(?<!\bcu)bot\b|bots\b|crawl|spider|slurp|preview|scan|fetch|monitor|headless|facebookexternalhit|facebot|whatsapp|telegram|skype|slack|discord|linkedin|pinterest|embedly|vkshare|viber|snapchat|google-|bing|yandex|baidu|curl|wget|python|java\/|okhttp|axios|node|go-http|libwww|apache-httpclient|postman/i;

const isPrefetch = (value: unknown) => typeof value === 'string' && /prefetch|prerender|preview/i.test(value);

/** Whether a request for a link is that of somebody who opened it. */
export function isPerson({ method, headers }: { method: string; headers: IncomingHttpHeaders }): boolean {
  if (method !== 'GET') return false;
  const agent = headers['user-agent'] ?? '';
  if (agent === '' || programs.test(agent)) return false;
  return !['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].some((name) => isPrefetch(headers[name]));
}
