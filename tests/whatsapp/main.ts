/**
 * The stand-in as a process of its own: prints one line `{"url": …, "admin": …}` and stops when its standard input
 * closes, so it never outlives whoever started it. PORT chooses the port.
 */
import { answerAdmin } from './admin.ts';
import { controlOf } from './control.ts';
import { WhatsAppStandIn } from './stand-in.ts';

// The Signal library would print sessions.
for (const method of ['info', 'warn', 'error'] as const) console[method] = () => {};

const wa = await WhatsAppStandIn.listen({ port: Number(process.env.PORT ?? 0) });
const answer = answerAdmin(controlOf(wa));
wa.http.removeAllListeners('request');
// A client that was busy for longer than Node's five seconds would write its next request to a connection that is
// closing.
wa.http.keepAliveTimeout = 0;
wa.http.on('request', (request, response) => {
  // Files are uploaded with POST, too.
  if (request.method === 'POST' && !request.url?.startsWith('/mms/')) void answer(request, response);
  else wa.answerHttp(request, response);
});

const admin = wa.url.replace('ws:', 'http:').replace('/ws/chat', '');
process.stdout.write(`${JSON.stringify({ url: wa.url, admin })}\n`);

process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
process.stdin.on('close', () => process.exit(0));
