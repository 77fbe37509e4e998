import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** `from` and `to` are of the envelope, `email` is what the reader's program makes of the content. */
export type ReceivedMail = { from: string; to: string; email: Email };

/** An SMTP server that keeps what it is sent; without a port it gets one of its own. */
export async function startSmtpStandIn(port = 0) {
  const mails: ReceivedMail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      const refusal = Object.assign(new Error('5.1.1 No such mailbox'), { responseCode: 550 });
      done(refused.has(address) ? refusal : null);
    },
    onData(stream, { envelope }, done) {
      readEmail(stream).then((email) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo[0]?.address ?? '', email });
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    /** Mail to this address is refused from now on. */
    refuse: (address: string) => void refused.add(address),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function readEmail(stream: NodeJS.ReadableStream): Promise<Email> {
  return PostalMime.parse(await buffer(stream));
}
