import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isRefusedToSuspended, permissionsOf } from '#contracts/endpoint.ts';
import type { CallerKind, Endpoint } from '#contracts/endpoint.ts';
import { can } from '#contracts/roles.ts';
import { isPermitted, MissingPermissionError } from '#server/actor.ts';
import type { Actor } from '#server/actor.ts';
import type { AccountContext, AccountOrProjectContext, Context } from '#server/context.ts';
import {
  findCallerByToken,
  recordDestinationChange,
  requireConfirmedIdentity,
} from '#server/modules/identity/users/index.ts';
import { findProjectByKey, getProject } from '#server/modules/identity/projects/index.ts';
import { noteCaller } from '#server/modules/identity/request-log/index.ts';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  ProblemError,
  UnauthenticatedError,
} from '#server/platform/errors.ts';
import { tokenKind } from '#server/platform/secrets.ts';
import { requireAllProjects } from '#server/scope.ts';

/** Finds out who calls and whether they may; see `Access` in `contracts/endpoint.ts` for the answers. */
export async function authorize(ctx: Context, request: FastifyRequest, endpoint: Endpoint): Promise<Context> {
  if (endpoint.callers === 'anyone') return { ...ctx, actor: { kind: 'anonymous' } };
  const caller = await identify(ctx, request, endpoint);
  requireAllowed(caller, endpoint);
  const { actor, project } = caller.ctx;
  if (endpoint.inProject && project === undefined)
    throw new InvalidInputError([{ path: projectHeader, message: noProject }]);
  if (endpoint.confirmsIdentity && actor.kind === 'user') requireConfirmedIdentity(ctx, actor);
  if (endpoint.produces === 'text/csv') await noteExport(caller.ctx, request, endpoint);
  return caller.ctx;
}

/** A security event and a mail: an export takes data out of the account. */
async function noteExport(ctx: AccountContext, request: FastifyRequest, { summary }: Endpoint): Promise<void> {
  const origin = { ip: request.ip, userAgent: request.headers['user-agent'] };
  await recordDestinationChange(ctx, { type: 'data_exported', origin, detail: summary });
}

/** `project` is undefined for whoever may see the whole account. */
type IdentifiedCaller = { ctx: AccountOrProjectContext; hasAccess: boolean; suspension: string | null };

type Protected = Endpoint & { callers: readonly CallerKind[] };

async function identify(ctx: Context, request: FastifyRequest, endpoint: Protected): Promise<IdentifiedCaller> {
  const { callers } = endpoint;
  const usesProjectKey = callers.includes('project_key') && request.headers['x-auth-key'] !== undefined;
  const takesTokens = endpoint.inProject ? hasSession(request) : callers.some((kind) => kind !== 'project_key');
  if (usesProjectKey || !takesTokens) return byProjectKey(ctx, request, endpoint);
  return byToken(ctx, request, endpoint);
}

/** Of what acts for one project the account's keys have none to name. */
const hasSession = (request: FastifyRequest): boolean => tokenKind(tokenOf(request) ?? '') === 'session';

/** The one place that decides; `identify` has only found out who it is. */
function requireAllowed({ ctx: { actor }, hasAccess, suspension }: IdentifiedCaller, endpoint: Endpoint): void {
  if (endpoint.callers === 'anyone') return;
  if (!endpoint.callers.some((kind) => kind === actor.kind)) {
    throw new ForbiddenError('session_required', 'Sign in with your password to do this; an API key cannot');
  }
  const judged = endpoint.changesContact ? inAllProjects(actor) : actor;
  for (const permission of permissionsOf(endpoint)) {
    if (isPermitted(judged, permission)) continue;
    const isScoped = actor.kind === 'project_key' || (judged.kind === 'api_key' && can(judged, permission));
    if (!isScoped) throw new MissingPermissionError(permission, actor);
    throw new ForbiddenError('missing_scope', `This key lacks the scope ${permission}`);
  }
  if (endpoint.acrossProjects) requireAllProjects({ actor }, endpoint.permission);
  if (endpoint.produces === 'text/csv') requireExporting(actor);
  if (endpoint.needsSubscription && !hasAccess) {
    throw new ProblemError(402, 'subscription_required', 'An active subscription is needed to do this');
  }
  if (suspension !== null && isRefusedToSuspended(endpoint)) {
    throw new ForbiddenError('account_suspended', `This account is suspended: ${suspension}`);
  }
}

/** Keys of projects export what their scopes let them read, unless their makers may not. */
function requireExporting(actor: Actor): void {
  if (actor.kind !== 'project_key') {
    if (!isPermitted(actor, 'data:export')) throw new MissingPermissionError('data:export', actor);
  } else if (!actor.mayExport) {
    throw new ForbiddenError('missing_permission', 'Whoever made this key lacks the permission data:export');
  }
}

/** With all that the role allows: the verb asks itself whom they see. */
const inAllProjects = (actor: Actor): Actor => ('projectIds' in actor ? { ...actor, projectIds: null } : actor);

/** `Authorization: <token>` and `Authorization: Bearer <token>` mean the same. */
function tokenOf(request: FastifyRequest): string | undefined {
  return request.headers.authorization?.replace(/^Bearer\s+/i, '').trim() || undefined;
}

async function byToken(
  ctx: Context,
  request: FastifyRequest,
  { ofPerson, inProject, withoutSecondFactor = ofPerson }: Endpoint,
): Promise<IdentifiedCaller> {
  const token = tokenOf(request);
  const found = token === undefined ? undefined : await findCallerByToken(ctx, token);
  if (!found) throw misplacedKey(token ?? headerText(request.headers['x-auth-key'])) ?? new UnauthenticatedError();
  const { account, actor, hasAccess, suspension } = found;
  if (!ofPerson) {
    if (!found.isMember) throw new ForbiddenError('no_account', 'You are a member of no account');
    requireSameAccount(request.headers['current-account-id'], account.id);
  }
  if (!withoutSecondFactor && actor.kind === 'user' && actor.session.lacksFactor) {
    const message = 'This account asks everybody for a second factor. Set one up to go on.';
    throw new ForbiddenError('second_factor_required', message);
  }
  if (actor.kind === 'api_key') {
    noteCaller(request, { accountId: account.id, projectId: null, caller: 'api_key', keyId: null });
    requireUsable(found, request.ip);
  }
  const accountCtx = { ...ctx, account, actor };
  const named = await findNamedProject(accountCtx, request.headers[projectHeader]);
  const project = inProject && named && { id: named.id, directFirstContacts: named.direct_first_contacts };
  return { ctx: { ...accountCtx, project }, hasAccess, suspension };
}

/** A page names the account that it shows: a form begun under one account is not saved under another. */
function requireSameAccount(header: string | string[] | undefined, accountId: number): void {
  if (header === undefined || header === '' || header === String(accountId)) return;
  throw new ConflictError('account_switched', 'You have switched to another account since this page was loaded');
}

const headerText = (header: string | string[] | undefined) => (typeof header === 'string' ? header.trim() : '');

const projectHeader = 'current-project-id';
const noProject = `Name the project in the header ${projectHeader}`;

/** The project that the page is about, where the caller says so. Throws 404 where it is not their own. */
async function findNamedProject(ctx: AccountContext, header: string | string[] | undefined) {
  if (header === undefined || header === '') return undefined;
  if (typeof header !== 'string' || !/^[1-9]\d{0,14}$/.test(header)) throw new NotFoundError('Project');
  return getProject(ctx, Number(header));
}

/** A key speaks for its own project alone: a caller who names another one means something else. */
function requireSameProject(header: string | string[] | undefined, projectId: number): void {
  if (header === undefined || header === '' || header === String(projectId)) return;
  throw new NotFoundError('Project');
}

async function byProjectKey(ctx: Context, request: FastifyRequest, endpoint: Protected): Promise<IdentifiedCaller> {
  const key = headerText(request.headers['x-auth-key']);
  const found = key === '' ? undefined : await findProjectByKey(ctx, key);
  if (!found) throw withoutProjectKey(key, tokenOf(request), endpoint);
  const { account, project, keyId, scopes, mayExport, hasAccess, suspension } = found;
  const caller = keyId === null ? 'auth_key' : 'project_key';
  noteCaller(request, { accountId: account.id, projectId: project.id, caller, keyId });
  requireUsable(found, request.ip);
  requireSameProject(request.headers[projectHeader], project.id);
  const owner = { accountId: account.id, projectId: project.id };
  const actor = { kind: 'project_key', ...owner, keyId, scopes, mayExport } as const;
  return { ctx: { ...ctx, account, project, actor }, hasAccess, suspension };
}

/** Throws 401 `key_expired`, 403 `address_not_allowed`. */
function requireUsable(
  { isExpired, addresses }: { isExpired: boolean; addresses: readonly string[] },
  ip: string,
): void {
  if (isExpired) throw new UnauthenticatedError('key_expired', 'This key has expired');
  if (isAllowedFrom(addresses, ip)) return;
  throw new ForbiddenError('address_not_allowed', `This key is not taken from ${ip}`);
}

/** A key in the wrong place is refused with the name of its kind, and is told where it belongs. */
function withoutProjectKey(authKey: string, token: string | undefined, endpoint: Protected): UnauthenticatedError {
  const given = authKey || token;
  if (given === undefined) {
    return new UnauthenticatedError('invalid_auth_key', "Send the project's key in the header x-auth-key");
  }
  if (authKey === '' && isOfProject(given)) return wrongKind("This is a project's key: send it as x-auth-key");
  const kind = tokenKind(given);
  const caller = kind === 'apiKey' ? 'api_key' : kind === 'session' ? 'user' : undefined;
  if (!caller) return new UnauthenticatedError('invalid_auth_key', 'The x-auth-key header holds no valid auth key');
  const takesIt = endpoint.callers.includes(caller);
  const where = takesIt ? 'send it as Authorization' : "this endpoint takes a project's key, as x-auth-key";
  return wrongKind(`This is ${caller === 'api_key' ? "the account's API key" : 'the token of a session'}: ${where}`);
}

const wrongKind = (message: string) => new UnauthenticatedError('wrong_key_kind', message);

const isOfProject = (token: string) => ['authKey', 'projectKey'].includes(tokenKind(token) ?? '');

function misplacedKey(token: string): UnauthenticatedError | undefined {
  if (!isOfProject(token)) return undefined;
  return wrongKind("This is a project's key: it is sent as x-auth-key, to endpoints that take one");
}

function isAllowedFrom(addresses: readonly string[], ip: string): boolean {
  if (addresses.length === 0) return true;
  const allowed = new BlockList();
  for (const each of addresses) {
    const [address = '', bits] = each.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) allowed.addAddress(address, family);
    else allowed.addSubnet(address, Number(bits), family);
  }
  return allowed.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
}
