import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exampleCode } from '#contracts/own-links.ts';
import type { Context } from '#server/context.ts';
import { findOtherCell } from '#server/modules/identity/cells/index.ts';
import { isPerson } from './is-person.ts';
import { findLink, noteClick } from './note-click.ts';
import { isExample, openLink } from './short-address.ts';

type Call = FastifyRequest<{ Params: { code: string } }>;

const headers = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const;

/** Mounts the short addresses: each leads where its campaign, flow or run said, and nowhere else. */
export function mountLinks(app: FastifyInstance, ctx: Context): void {
  app.get('/l/test', async (_request, reply) => send(reply, 200, 'This domain leads to your links.'));
  app.get('/l/:code', (request: Call, reply) => follow(ctx, request, reply));
}

const exampleText = 'This is an example. In the messages that go out, each link leads to its own address.';

async function follow(ctx: Context, request: Call, reply: FastifyReply): Promise<FastifyReply> {
  const opened = openLink(ctx, request.params.code);
  // Previews show it, and a test that is sent from one carries it.
  if (request.params.code === exampleCode || (opened && isExample(opened))) return send(reply, 200, exampleText);
  const link = opened && (await findLink(ctx, opened.linkId));
  if (opened && !link) {
    const cell = await findOtherCell(ctx, opened);
    if (cell !== undefined) return reply.headers(headers).redirect(new URL(request.url, cell).href, 302);
  }
  if (!opened || !link) return send(reply, 404, 'This link does not work. Open it again from the message.');
  // People get where they want also where the click cannot be counted.
  if (isPerson(request.raw as { method: string } & typeof request.raw)) {
    await noteClick(ctx, link, opened).catch((error: unknown) => {
      ctx.logger.warn({ err: error, link: link.id }, 'a click was not counted');
    });
  }
  // As a header takes it: what people write has letters of any script.
  return reply.headers(headers).redirect(new URL(link.url).href, 302);
}

function send(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.status(status).headers(headers).type('text/plain; charset=utf-8').send(text);
}
