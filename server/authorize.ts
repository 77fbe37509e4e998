import type { FastifyRequest } from 'fastify';
import type { CallerKind, Endpoint } from '#contracts/endpoint.ts';
import { authKeyScopes, isPermitted } from '#server/actor.ts';
import type { AccountContext, AccountOrProjectContext, Context } from '#server/context.ts';
import { findAccountByToken } from '#server/modules/accounts/index.ts';
import { findProjectByAuthKey, getProject } from '#server/modules/projects/index.ts';
import { ForbiddenError, NotFoundError, ProblemError, UnauthenticatedError } from '#server/platform/errors.ts';

/** Finds out who calls and whether they may; see `Access` in `contracts/endpoint.ts` for the answers. */
export async function authorize(ctx: Context, request: FastifyRequest, endpoint: Endpoint): Promise<Context> {
  if (endpoint.callers === 'anyone') return { ...ctx, actor: { kind: 'anonymous' } };
  const caller = await identify(ctx, request, endpoint.callers);
  requireAllowed(caller, endpoint);
  return caller.ctx;
}

/** `project` is undefined for whoever may see the whole account. */
type IdentifiedCaller = { ctx: AccountOrProjectContext; hasAccess: boolean };

async function identify(
  ctx: Context,
  request: FastifyRequest,
  callers: readonly CallerKind[],
): Promise<IdentifiedCaller> {
  const usesProjectKey = callers.includes('project_key') && request.headers['x-auth-key'] !== undefined;
  if (usesProjectKey || callers.every((kind) => kind === 'project_key')) return byProjectKey(ctx, request);
  return byToken(ctx, request);
}

/** The one place that decides; `identify` has only found out who it is. */
function requireAllowed({ ctx: { actor }, hasAccess }: IdentifiedCaller, endpoint: Endpoint): void {
  if (endpoint.callers === 'anyone') return;
  if (!endpoint.callers.some((kind) => kind === actor.kind)) {
    throw new ForbiddenError('session_required', 'Sign in with your password to do this; an API key cannot');
  }
  if (!isPermitted(actor, endpoint.permission)) {
    throw new ForbiddenError('missing_scope', `This key lacks the scope ${endpoint.permission}`);
  }
  if (endpoint.needsSubscription && !hasAccess) {
    throw new ProblemError(402, 'subscription_required', 'An active subscription is needed to do this');
  }
}

/** `Authorization: <token>` and `Authorization: Bearer <token>` mean the same. */
function tokenOf(request: FastifyRequest): string | undefined {
  return request.headers.authorization?.replace(/^Bearer\s+/i, '').trim() || undefined;
}

async function byToken(ctx: Context, request: FastifyRequest): Promise<IdentifiedCaller> {
  const token = tokenOf(request);
  const found = token === undefined ? undefined : await findAccountByToken(ctx, token);
  if (!found) throw new UnauthenticatedError();
  const { account, actor, hasAccess } = found;
  const accountCtx = { ...ctx, account, actor };
  await requireOwnProject(accountCtx, request.headers['current-project-id']);
  return { ctx: { ...accountCtx, project: undefined }, hasAccess };
}

/** The project that the page is about, where the caller says so: it must be their own. */
async function requireOwnProject(ctx: AccountContext, header: string | string[] | undefined): Promise<void> {
  if (header === undefined || header === '') return;
  if (typeof header !== 'string' || !/^[1-9]\d{0,14}$/.test(header)) throw new NotFoundError('Project');
  await getProject(ctx, Number(header));
}

async function byProjectKey(ctx: Context, request: FastifyRequest): Promise<IdentifiedCaller> {
  const key = request.headers['x-auth-key'];
  const found = typeof key === 'string' ? await findProjectByAuthKey(ctx, key.trim()) : undefined;
  if (!found) throw new UnauthenticatedError('invalid_auth_key', 'The x-auth-key header holds no valid auth key');
  const { account, project, hasAccess } = found;
  const actor = { kind: 'project_key', accountId: account.id, projectId: project.id, scopes: authKeyScopes } as const;
  return { ctx: { ...ctx, account, project, actor }, hasAccess };
}
