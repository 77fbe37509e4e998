import { sql } from 'kysely';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isSigned } from '#server/connectors/messaging/cloud/signature.ts';
import type { Context } from '#server/context.ts';
import { findOtherCell } from '#server/modules/identity/cells/index.ts';
import { findSignedUpPhones } from '#server/modules/numbers/phones/index.ts';
import type { SignedUpPhone } from '#server/modules/numbers/phones/index.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { findExcess } from '#server/platform/http/json-shape.ts';
import {
  answerChallenge,
  bytesOf,
  callCell,
  challengeFor,
  isHandedOn,
  maxDepth,
  requireFewValues,
  signatureOf,
  wake,
  wrongSignature,
} from './webhook-calls.ts';
import type { Query } from './webhook-calls.ts';

const path = '/hooks/whatsapp';

type Call = FastifyRequest<{ Querystring: Query }>;

/**
 * Mounts the callback of the operator's app: signed by its secret, it brings the news of all businesses that signed up, of
 * which each account is given its own alone.
 */
export function mountOperatorWebhooks(app: FastifyInstance, ctx: Context): void {
  const { app: ours } = ctx.config.cloudApi;
  if (!ours) return;
  app.get(path, { config: { rateLimit: false } }, async ({ query }: Call, reply) =>
    answerChallenge(reply, challengeFor(query, ours.verifyToken)),
  );
  app.post(path, { config: { rateLimit: false } }, async (request: Call, reply) => {
    const bytes = bytesOf(request);
    if (!isSigned(bytes, signatureOf(request), ours.secret)) throw wrongSignature("this server's app");
    requireFewValues(bytes);
    await store(ctx, { bytes, request, appId: ours.id });
    wake(ctx);
    return reply.send({ received: true });
  });
}

const Body = z.object({ entry: z.array(z.looseObject({ id: z.coerce.string() })) });
type Entry = z.infer<typeof Body>['entry'][number];

/** Undefined for bytes that are no webhook of Meta's, though they are signed. */
function readEntries(bytes: Buffer): Entry[] | undefined {
  const json = bytes.toString('utf8');
  if (findExcess(json, { maxDepth, maxValues: Infinity })) return undefined;
  try {
    return Body.safeParse(JSON.parse(json)).data?.entry;
  } catch {
    return undefined;
  }
}

async function store(
  ctx: Context,
  { bytes, request, appId }: { bytes: Buffer; request: Call; appId: string },
): Promise<void> {
  const entry = readEntries(bytes);
  if (!entry) return ctx.logger.warn('a webhook of Meta for the app names no business');
  const businessAccountIds = [...new Set(entry.map(({ id }) => id))];
  const phones = await findSignedUpPhones(ctx, { appId, businessAccountIds });
  const parts = [...Map.groupBy(phones, ({ accountId }) => accountId).values()].map((of) => partOf(of, entry, bytes));
  await insert(ctx, parts);
  if (isHandedOn(request)) return;
  const here = new Set(phones.map(({ businessAccountId }) => businessAccountId));
  await handOn(
    ctx,
    request,
    businessAccountIds.filter((id) => !here.has(id)),
  );
}

type Part = { accountId: number; phoneId: number; bytes: Buffer };

/** The entries of an account's businesses, under the number that they name first. */
function partOf(phones: readonly SignedUpPhone[], all: readonly Entry[], bytes: Buffer): Part {
  const businesses = new Set(phones.map(({ businessAccountId }) => businessAccountId));
  const entry = all.filter(({ id }) => businesses.has(id));
  const text = JSON.stringify(entry);
  const [first] = phones;
  const named = phones.find(({ phoneNumberId }) => text.includes(`"${phoneNumberId}"`)) ?? first;
  if (!named) throw new Error('No number is given');
  const isWhole = entry.length === all.length;
  const kept = isWhole ? bytes : Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry }));
  return { accountId: named.accountId, phoneId: named.phoneId, bytes: kept };
}

/** A number that is deleted at this moment takes nothing. */
async function insert(ctx: Context, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return;
  const now = ctx.clock.now();
  const [accounts, phones, bodies] = [
    parts.map(({ accountId }) => accountId),
    parts.map(({ phoneId }) => phoneId),
    parts.map(({ bytes }) => bytes),
  ];
  await sql`
    insert into cloud_webhooks (account_id, phone_id, body, received_at, due_at)
    select n.account_id, n.phone_id, given.body, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${accounts}::bigint[], ${phones}::bigint[], ${bodies}::bytea[]) as given (account_id, phone_id, body)
      join cloud_numbers n on n.account_id = given.account_id and n.phone_id = given.phone_id
  `.execute(ctx.db);
}

/** The app has one callback: news of businesses that are at home in other cells go there. */
async function handOn(ctx: Context, request: Call, businessAccountIds: readonly string[]): Promise<void> {
  const cells = new Set<string>();
  for (const businessAccountId of businessAccountIds) {
    const cell = await findOtherCell(ctx, { businessAccountId });
    if (cell === undefined)
      ctx.logger.info({ businessAccountId }, 'Meta tells of a business that no number here is of');
    else cells.add(cell);
  }
  for (const cell of cells) {
    const { status } = await callCell(ctx, request, cell);
    if (status !== 200) throw new ProblemError(503, 'busy', 'The number is elsewhere, and does not take it at present');
  }
}
