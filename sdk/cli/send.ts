import type { Running } from './running.ts';
import { clientThatSends, UsageError } from './running.ts';

export async function send({ flags, print, ...running }: Running): Promise<void> {
  const { to, message, at, metadata = [] } = flags;
  if (typeof to !== 'string' || typeof message !== 'string') throw new UsageError('Give --to and --message');
  const pairs = [metadata].flat().map((pair): [string, string] => {
    const [key = '', ...rest] = String(pair).split('=');
    if (rest.length === 0) throw new UsageError('Write --metadata as key=value');
    return [key, rest.join('=')];
  });
  const time = typeof at === 'string' ? new Date(at) : undefined;
  if (time && Number.isNaN(time.getTime())) throw new UsageError('Write --at as a time, such as 2026-12-24T09:00:00Z');
  const client = await clientThatSends(running);
  const sent = await client.messages.send({
    to,
    message,
    ...(time && { send_at: time.toISOString() }),
    ...(pairs.length > 0 && { metadata: Object.fromEntries(pairs) }),
  });
  print(flags['json'] ? JSON.stringify(sent) : `${sent.status} ${sent.id} to ${sent.to}`);
}
