/**
 * The stand-in as a process of its own, to connect an official number by hand: prints the setting that makes the product
 * use it and what to enter for the number, and does what is typed. Stops when its standard input closes.
 */
import { createInterface } from 'node:readline';
import { CloudApiStandIn } from './stand-in.ts';

const templatesOf = (meta: CloudApiStandIn, name: string) =>
  [...meta.account.templates.values()].filter((template) => template.name === name);

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
  refuse(meta, [to = '', code = '']) {
    meta.refusals.set(to, Number(code));
    return `messages to ${to} are refused with ${code}`;
  },
  template(meta, [name = '', language = 'en_US', ...text]) {
    const id = String(7_000_000 + meta.account.templates.size);
    meta.account.templates.set(id, {
      id,
      name,
      language,
      category: 'UTILITY',
      parameter_format: 'NAMED',
      status: 'APPROVED',
      rejected_reason: 'NONE',
      quality_score: { score: 'GREEN', date: 0 },
      components: [{ type: 'BODY', text: text.join(' ') }],
    });
    return `${name} (${language}) is approved`;
  },
  status(meta, [name = '', status = 'APPROVED', title]) {
    const found = templatesOf(meta, name);
    for (const template of found)
      meta.decideTemplate(template, status as typeof template.status, title === undefined ? {} : { title });
    return `${found.length} languages of ${name} are ${status}`;
  },
  hold(meta, [name = '']) {
    for (const { id } of templatesOf(meta, name)) meta.account.judged.add(id);
    return `messages of ${name} are held until: judge ${name} good|bad`;
  },
  judge(meta, [name = '', verdict = 'good']) {
    for (const template of templatesOf(meta, name)) meta.judge(template, verdict === 'good');
    return `${name} is ${verdict}`;
  },
  unverify(meta) {
    Object.assign(meta.number, { isVerified: false, isRegistered: false });
    return 'the number is neither verified nor registered';
  },
  unregister(meta, [pin = '']) {
    Object.assign(meta.number, { isRegistered: false, pin });
    return `the number is not registered, and its PIN is ${pin}`;
  },
  share(meta, [from = '', ...text]) {
    const timestamp = String(Math.floor(Date.now() / 1000) - 3600);
    const message = { from, id: `wamid.shared${from}`, timestamp, type: 'text', text: { body: text.join(' ') } };
    Object.assign(meta.number, { isShared: true, handedOver: [], chats: [{ id: from, messages: [message] }] });
    return 'the number stays in the Business app, where this was written an hour ago';
  },
  allow(meta, [url = '']) {
    meta.signUps.redirectUris.add(url);
    return `the dialog returns to ${url}`;
  },
  code: (meta) => meta.number.sentCode ?? 'none was asked for',
  tell(meta, [field = '', ...value]) {
    meta.tell(field, JSON.parse(value.join(' ')));
    return `told ${field}`;
  },
  sent: (meta) => JSON.stringify(meta.sent.map(({ to, type, body }) => ({ to, type, body }))),
  help: () =>
    [
      'webhook <callback URL> <verify token>: verify the callback',
      'write <from> <text>: a user writes',
      'fail <to> <code>: messages to a number are accepted and fail; refuse <to> <code>: they are refused',
      'template <name> <language> <text with {{names}}>: an approved template',
      'status <name> APPROVED|REJECTED|PAUSED|DISABLED [FIRST_PAUSE|SECOND_PAUSE]: of a template, with its webhook',
      'hold <name>, judge <name> good|bad: messages of a template wait for its quality, then go out or are dropped',
      'unregister <PIN>: the number is not registered; share <from> <text>: it stays in the Business app, with this chat',
      'allow <address>: a valid OAuth redirect URI of the app; its callback is verified by the verify token above',
      'unverify: the number has to be verified and registered; code: the code that it was sent',
      'tell <field> <JSON>: any other webhook, such as tell business_capability_update {"max_daily_conversations_per_business":250}',
      'sent: the messages that arrived',
    ].join('\n'),
};

const meta = await CloudApiStandIn.listen({ port: Number(process.env['PORT'] ?? 0) });
for (const [name, value] of Object.entries(meta.operatorSettings)) console.log(`export ${name}=${value}`);
console.log(JSON.stringify({ phone_number: meta.number.display, ...meta.credentials }, null, 2));

for await (const line of createInterface({ input: process.stdin })) {
  const [name = 'help', ...words] = line.trim().split(/\s+/);
  try {
    console.log(await (commands[name] ?? commands['help']!)(meta, words));
  } catch (error) {
    console.log((error as Error).message);
  }
}
process.exit(0);
