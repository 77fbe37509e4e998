import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contracts/endpoint.ts';
import type { AccountContext, AccountOrProjectContext, Context, ProjectContext } from '#server/context.ts';
import { findAccountByToken } from '#server/modules/accounts/index.ts';
import { findProjectByAuthKey } from '#server/modules/projects/index.ts';
import {
  ForbiddenError,
  NotFoundError,
  ProblemError,
  UnauthenticatedError,
  assertNever,
} from '#server/platform/errors.ts';

/** Finds out who calls, as the endpoint's access demands; see `contracts/endpoint.ts` for the answers. */
export async function authorize(ctx: Context, request: FastifyRequest, endpoint: Endpoint): Promise<Context> {
  switch (endpoint.access) {
    case 'public':
      return ctx;
    case 'account':
      return (await signedIn(ctx, request)).ctx;
    case 'session': {
      const caller = await signedIn(ctx, request);
      if (caller.ctx.sessionTokenHash === undefined) {
        throw new ForbiddenError('session_required', 'Sign in with your password to do this; an API key cannot');
      }
      return caller.ctx;
    }
    case 'subscriber': {
      const caller = await signedIn(ctx, request);
      requireAccess(caller.hasAccess);
      return caller.ctx;
    }
    case 'project-key':
      return withProjectKey(ctx, request);
    case 'subscriber-or-project-key': {
      if (request.headers['x-auth-key'] !== undefined) return withProjectKey(ctx, request);
      const caller = await signedIn(ctx, request);
      requireAccess(caller.hasAccess);
      const ofWholeAccount: AccountOrProjectContext = { ...caller.ctx, project: undefined };
      return ofWholeAccount;
    }
    default:
      return assertNever(endpoint.access);
  }
}

/** `Authorization: <token>` and `Authorization: Bearer <token>` mean the same. */
function tokenOf(request: FastifyRequest): string | undefined {
  return request.headers.authorization?.replace(/^Bearer\s+/i, '').trim() || undefined;
}

async function signedIn(ctx: Context, request: FastifyRequest): Promise<{ ctx: AccountContext; hasAccess: boolean }> {
  const token = tokenOf(request);
  const caller = token === undefined ? undefined : await findAccountByToken(ctx, token);
  if (!caller) throw new UnauthenticatedError();
  const accountCtx = { ...ctx, account: caller.account, sessionTokenHash: caller.sessionTokenHash };
  await requireOwnProject(accountCtx, request.headers['current-project-id']);
  return { ctx: accountCtx, hasAccess: caller.hasAccess };
}

function requireAccess(hasAccess: boolean): void {
  if (!hasAccess) throw new ProblemError(402, 'subscription_required', 'An active subscription is needed to do this');
}

/** The project that the page is about, where the caller says so: it must be their own. */
async function requireOwnProject(ctx: AccountContext, header: string | string[] | undefined): Promise<void> {
  if (header === undefined || header === '') return;
  const projectId = typeof header === 'string' && /^[1-9]\d{0,14}$/.test(header) ? Number(header) : undefined;
  const project =
    projectId === undefined
      ? undefined
      : await ctx.db
          .selectFrom('projects')
          .select('id')
          .where('account_id', '=', ctx.account.id)
          .where('id', '=', projectId)
          .executeTakeFirst();
  if (!project) throw new NotFoundError('Project');
}

async function withProjectKey(ctx: Context, request: FastifyRequest): Promise<ProjectContext> {
  const key = request.headers['x-auth-key'];
  const found = typeof key === 'string' ? await findProjectByAuthKey(ctx, key.trim()) : undefined;
  if (!found) throw new UnauthenticatedError('invalid_auth_key', 'The x-auth-key header holds no valid auth key');
  requireAccess(found.hasAccess);
  return { ...ctx, account: found.account, project: found.project };
}
