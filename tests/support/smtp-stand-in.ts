import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

type ReceivedMail = { from: string; to: string; data: string };

/** An SMTP server that keeps what it is sent; as much of RFC 5321 as a client needs. */
export async function startSmtpStandIn() {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    converse(socket, (mail) => mails.push(mail));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function converse(socket: Socket, receive: (mail: ReceivedMail) => void): void {
  let unread = '';
  let isData = false;
  let mail = { from: '', to: '', data: '' };
  const say = (line: string) => socket.write(`${line}\r\n`);

  function hear(line: string): void {
    if (isData) {
      if (line !== '.') return void (mail.data += `${line.replace(/^\./, '')}\n`);
      isData = false;
      receive(mail);
      mail = { from: '', to: '', data: '' };
      say('250 kept');
    } else if (/^MAIL FROM:/i.test(line)) {
      mail.from = /<(.*)>/.exec(line)?.[1] ?? '';
      say('250 ok');
    } else if (/^RCPT TO:/i.test(line)) {
      mail.to = /<(.*)>/.exec(line)?.[1] ?? '';
      say('250 ok');
    } else if (/^DATA/i.test(line)) {
      isData = true;
      say('354 go on');
    } else if (/^QUIT/i.test(line)) {
      say('221 bye');
      socket.end();
    } else {
      say('250 ok');
    }
  }

  say('220 stand-in');
  socket.on('error', () => socket.destroy());
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    unread += chunk;
    const lines = unread.split('\r\n');
    unread = lines.pop() ?? '';
    for (const line of lines) hear(line);
  });
}
