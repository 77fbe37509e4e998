import { startSmtpStandIn } from '#tests/support/smtp-stand-in.ts';
import type { ReceivedMail } from '#tests/support/smtp-stand-in.ts';
import { freePort } from '#tests/support/free-port.ts';

export type MailServer = {
  url: string;
  /** All that it ever took. */
  mails(): readonly ReceivedMail[];
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
};

/** A mail server that keeps its port while it comes and goes. */
export async function startMailServer(): Promise<MailServer> {
  const port = await freePort();
  const earlier: ReceivedMail[] = [];
  let server = await startSmtpStandIn(port);
  return {
    url: server.url,
    mails: () => [...earlier, ...server.mails],
    async goAway() {
      await server[Symbol.asyncDispose]();
      earlier.push(...server.mails.splice(0));
    },
    async comeBack() {
      server = await startSmtpStandIn(port);
    },
  };
}
