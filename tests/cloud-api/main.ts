/**
 * The stand-in as a process of its own, to connect an official number by hand: prints the setting that makes the product
 * use it and what to enter for the number, and does what is typed. Stops when its standard input closes.
 */
import { createInterface } from 'node:readline';
import { CloudApiStandIn } from './stand-in.ts';

const commands: Record<string, (meta: CloudApiStandIn, words: string[]) => Promise<string> | string> = {
  async webhook(meta, [url = '', token = '']) {
    return (await meta.webhooks.configure(url, token)) ? 'verified' : 'not verified';
  },
  write(meta, [from = '', ...text]) {
    return meta.receiveText(from, text.join(' '));
  },
  fail(meta, [to = '', code = '']) {
    meta.fates.set(to, Number(code));
    return `messages to ${to} fail with ${code}`;
  },
  sent: (meta) => JSON.stringify(meta.sent.map(({ to, type, body }) => ({ to, type, body }))),
  help: () => 'webhook <callback URL> <verify token> | write <from> <text> | fail <to> <code> | sent',
};

const meta = await CloudApiStandIn.listen({ port: Number(process.env['PORT'] ?? 0) });
for (const [name, value] of Object.entries(meta.settings)) console.log(`export ${name}=${value}`);
console.log(JSON.stringify({ phone_number: meta.number.display, ...meta.credentials }, null, 2));

for await (const line of createInterface({ input: process.stdin })) {
  const [name = 'help', ...words] = line.trim().split(/\s+/);
  console.log(await (commands[name] ?? commands['help']!)(meta, words));
}
process.exit(0);
