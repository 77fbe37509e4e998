import type { ApiRequest } from '#contracts/request-log.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a command of a shell; capitals stand for what the log does not keep. */
export function requestCurl({ method, path, caller, body }: ApiRequest, origin: string): string {
  const [address = '', query] = path.split('?');
  const values = query?.split('&').map((name) => `${name}=${name.toUpperCase()}`);
  const key = caller === 'api_key' ? 'authorization: YOUR_API_KEY' : 'x-auth-key: YOUR_KEY';
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + [address, ...(values ? [values.join('&')] : [])].join('?'))}`,
    `-H ${quoted(key)}`,
    ...(body === null ? [] : [`-H 'content-type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}
