import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext, Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findOtherCell } from '#server/modules/identity/cells/index.ts';
import { findFacts } from '#server/modules/audience/profiles/index.ts';
import { suppressNumbers } from '#server/modules/audience/suppressions/index.ts';
import { noteConsents } from '../note-consents.ts';
import { isOptedOut, readTopics } from '../number-topics.ts';
import { readPreferencesToken } from './link.ts';
import { messagePage, preferencesPage } from './page.ts';
import { languageFor, texts } from './texts.ts';
import type { PreferencesLanguage } from './texts.ts';

const path = '/p/:token';

/** A page names at most as many topics as an account has. */
const maxBytes = 16 * 1024;
const perMinute = 30;

type Call = FastifyRequest<{ Params: { token: string }; Querystring: Record<string, string | undefined> }>;

/** Mounts the page on which a contact decides what they get: behind a signed address, for whoever has it. */
export function mountPreferences(app: FastifyInstance, ctx: Context): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxBytes },
      (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
    );
    const config = { rateLimit: { max: perMinute, timeWindow: '1 minute' } };
    scope.get(path, { config }, (request: Call, reply) => show(ctx, request, reply));
    scope.post(path, { config, bodyLimit: maxBytes }, (request: Call, reply) => save(ctx, request, reply));
    done();
  });
}

type Owner = { ctx: AccountContext; phone: string; business: string; language: PreferencesLanguage };

async function findOwner(ctx: Context, request: Call): Promise<Owner | undefined> {
  const read = readPreferencesToken(ctx, request.params.token);
  if (!read) return undefined;
  const account = await ctx.db
    .selectFrom('accounts')
    .select(['id', 'timezone', 'account_name', 'name'])
    .where('id', '=', read.accountId)
    .executeTakeFirst();
  if (!account) return undefined;
  const ofAccount = { ...ctx, account: { id: account.id, timezone: account.timezone } };
  const profile = await ctx.db
    .selectFrom('profiles')
    .select(['id', 'country_code'])
    .where('account_id', '=', account.id)
    .where('phone', '=', read.phone)
    .orderBy('id')
    .executeTakeFirst();
  const facts = profile && (await findFacts(ofAccount, [profile.id])).get(profile.id);
  const browser = request.headers['accept-language'];
  const language = languageFor({ profile: facts?.language, browser, country: profile?.country_code });
  return { ctx: ofAccount, phone: read.phone, business: account.account_name ?? account.name, language };
}

async function show(ctx: Context, request: Call, reply: FastifyReply): Promise<FastifyReply> {
  const owner = await findOwner(ctx, request);
  if (!owner) return leadElsewhere(ctx, request, reply);
  const page = preferencesPage({
    language: owner.language,
    business: owner.business,
    phone: owner.phone,
    isOptedOut: await isOptedOut(owner.ctx, owner.phone),
    isSaved: request.query['saved'] === '1',
    topics: await readTopics(owner.ctx, owner.phone),
  });
  return send(reply, 200, page);
}

/** Only topics that the page showed are said anything of: another may have been added since it was opened. */
async function save(ctx: Context, request: Call, reply: FastifyReply): Promise<FastifyReply> {
  const owner = await findOwner(ctx, request);
  if (!owner) return leadElsewhere(ctx, request, reply);
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const chosen = new Set(form.getAll('topic'));
  const shown = new Set(form.getAll('shown'));
  const { phone } = owner;
  await inTransaction(owner.ctx, async (tx) => {
    const accountId = tx.account.id;
    const topics = (await readTopics(tx, phone)).filter(({ topic_id: id }) => shown.has(String(id)));
    const words = topics
      .map(({ topic_id: topicId, receives }) => ({ topicId, receives, isChosen: chosen.has(String(topicId)) }))
      .filter(({ receives, isChosen }) => receives !== isChosen)
      .map(({ topicId, isChosen }) => ({ phone, topicId, state: isChosen ? 'opted_in' : 'opted_out' }) as const);
    const evidence = { actor: null, text: texts[owner.language].intro(owner.business), address: request.ip };
    await noteConsents(tx, { accountId, words, by: 'page', at: tx.clock.now(), note: null, evidence });
    if (form.get('all') !== 'stop') return;
    const note = 'On the preferences page';
    await suppressNumbers(tx, { accountId, numbers: [{ phone, note }], by: 'reply' });
  });
  return reply.headers(headers).redirect(`/p/${request.params.token}?saved=1`, 303);
}

/** An account that has moved has its page in its cell; what a page from before sends is chosen again there. */
async function leadElsewhere(ctx: Context, request: Call, reply: FastifyReply): Promise<FastifyReply> {
  const read = readPreferencesToken(ctx, request.params.token);
  const cell = read && (await findOtherCell(ctx, { accountId: read.accountId }));
  if (!read || cell === undefined) return sendUnknown(request, reply);
  const { href } = new URL(`/p/${request.params.token}`, cell);
  // A browser follows no redirect of a form to another address.
  if (request.method === 'POST') return sendLead(reply, href);
  return reply.headers(headers).redirect(href, 302);
}

function sendUnknown(request: Call, reply: FastifyReply): FastifyReply {
  const browser = request.headers['accept-language'];
  const language = languageFor({ profile: undefined, browser, country: undefined });
  const { notFound: title, notFoundHint: hint } = texts[language];
  return send(reply, 404, messagePage(language, { title, hint }));
}

function sendLead(reply: FastifyReply, href: string): FastifyReply {
  return reply
    .status(200)
    .headers({ ...headers, refresh: `0; url=${href}` })
    .type('text/plain; charset=utf-8')
    .send(href);
}

const headers = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const;

function send(reply: FastifyReply, status: number, page: string): FastifyReply {
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  return reply
    .status(status)
    .headers(headers)
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    .type('text/html; charset=utf-8')
    .send(page);
}
