import { z } from 'zod';
import type { Audit } from './audit-acts.ts';
import { fieldMessage } from './field-messages.ts';
import type { Permission } from './permissions.ts';
import type { ProblemCode } from './problem-guide.ts';

// Every contract speaks to people in the same words, wherever it is parsed.
z.config({ customError: fieldMessage });

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The kinds of callers: `user` by a session token, `api_key` by the account's, both in `authorization`; `project_key`
 * by a project's auth key, or another of its keys, in `x-auth-key`.
 */
export type CallerKind = 'user' | 'api_key' | 'project_key';

/**
 * Three things apart, checked in one place (`server/authorize.ts`):
 * - `callers`: who may call. Without credentials of these kinds: 401 `unauthenticated`, or `invalid_auth_key` where
 *   only a project's key will do; an api_key where only a user may call: 403 `session_required`;
 * - `permission` and `alsoNeeds`: what the caller must have been granted, else 403 `missing_scope` for a key of a
 *   project, `missing_permission` for members (`roles.ts`) and the api_key, before the body is parsed;
 * - `needsSubscription`: whether the account must have an active subscription, else 402 `subscription_required`. Of
 *   these, what does more than read is refused to a suspended account: 403 `account_suspended`; so is what
 *   `takesMoney` or `mailsStrangers`.
 */
type Access =
  | {
      readonly callers: 'anyone';
      readonly permission?: undefined;
      readonly alsoNeeds?: undefined;
      readonly answerNeeds?: undefined;
      readonly needsSubscription?: undefined;
    }
  | {
      readonly callers: readonly CallerKind[];
      readonly permission: Permission;
      /** A second permission, of what the answer is made of: a preview counts contacts. */
      readonly alsoNeeds?: Permission;
      /** A caller without it is answered the id and the fields that the body named, the others null or empty. */
      readonly answerNeeds?: Permission;
      readonly needsSubscription: boolean;
    };

/**
 * An endpoint, as both sides and the OpenAPI document see it. `path` writes its parameters in braces, each named in
 * `params`. `response` maps a success status to its body; `undefined` is a body-less answer. `errors` lists the problem
 * codes beyond those that come with its traits and those that every endpoint shares: `problem-codes.ts` has both.
 */
export type Endpoint = Access & {
  readonly method: Method;
  readonly path: `/api/${string}`;
  readonly summary: string;
  /** Its act in the audit log: of every endpoint that is no GET. */
  readonly audit?: Audit;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /**
   * Takes an `Idempotency-Key`: for 24 hours the same key and request get the same answer again, with
   * `idempotent-replayed: true`; 409 `idempotency_conflict` for another request, `idempotency_in_progress` meanwhile.
   * - `atomic`: what it does and the answer commit together, so that nothing can happen twice;
   * - `recorded`: it asks others on the way; one that broke off may be repeated with its key after two minutes.
   */
  readonly idempotency?: 'atomic' | 'recorded';
  /** The request's body is not parsed: a stream of CSV, the bytes of a JSON text whose signature counts, or a file of any type, also as a form. */
  readonly consumes?: 'text/csv' | 'application/json' | '*/*';
  /**
   * A provider calls it, and may name in query and body what it likes. Its body may be larger than that of others who
   * are not known: `consumes` says that its bytes are verified before they are parsed.
   */
  readonly isHook?: true;
  /** Leads to a payment: refused to a suspended account, for which a payment opens nothing. */
  readonly takesMoney?: true;
  /** Sends a mail to an address that the caller names: refused to a suspended account, which sends nothing. */
  readonly mailsStrangers?: true;
  /** Asks somebody who signed in for a proof that is at most 15 minutes old, else 403 `confirm_identity`. */
  readonly confirmsIdentity?: true;
  /** Also for a person who is a member of no account, or whose session has moved to another one. */
  readonly ofPerson?: true;
  /** Also for a person without a second factor, where the account asks everybody for one; as `ofPerson` is. */
  readonly withoutSecondFactor?: true;
  /** Acts for one project: that of the key, or the one that a session names in `current-project-id`. */
  readonly inProject?: true;
  /** Concerns all projects at once: refused to a member who is narrowed to some, though their role has the permission. */
  readonly acrossProjects?: true;
  /**
   * Changes a single contact: also for a member who is narrowed to some projects, where their role has the permission,
   * of the contacts whom they see.
   */
  readonly changesContact?: true;
  /** How many values its JSON may hold, arrays and objects included; 20,000 unless it says more. */
  readonly maxValues?: number;
  /** The body is a list whose entries are judged one by one: a wrong one is answered as such, and spoils no other. */
  readonly isJudgedByLine?: true;
  /**
   * Its cost is not bounded by its page, so that it waits for its account's turn: `page` for one page of a list, `scan`
   * for what may read all that the account has. 429 `too_many_queries` where the account has too many waiting.
   */
  readonly reads?: 'page' | 'scan';
  /** The success answer is a stream of this type, in place of JSON; `any`: of the type that the file has. */
  readonly produces?: 'text/csv' | 'text/event-stream' | '*/*';
  /** Asked for `text/event-stream`, or as callers of that one always have, the path answers its stream. */
  readonly asStream?: Endpoint;
  readonly response: Readonly<Partial<Record<200 | 201 | 202 | 204 | 206, z.ZodType | undefined>>>;
  readonly errors?: readonly ProblemCode[];
};

/** Names that callers use by mistake for a field, beyond misspellings: they are answered its name. */
export const otherNames = z.registry<{ names: readonly string[] }>();

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** A person's own matters: open without a plan, and before the second factor that an account demands is set up. */
export const ofOneself = {
  callers: ['user'],
  permission: 'self:write',
  needsSubscription: false,
  withoutSecondFactor: true,
} as const;

/** A line of a body that `isJudgedByLine`: documented as the schema, and parsed by it one by one. */
export function lineOf<T extends z.ZodType>(schema: T) {
  const { $schema: _, ...line } = z.toJSONSchema(schema, { io: 'input' });
  return z.custom<z.input<T>>().meta(line);
}

/** The permissions that a caller needs, all of them. */
export const permissionsOf = ({ permission, alsoNeeds }: Endpoint): Permission[] =>
  [permission, alsoNeeds].filter((each) => each !== undefined);

/** A suspended account may read all that it has, and neither change nor send anything, nor pay. */
export function isRefusedToSuspended({ needsSubscription, permission, ...traits }: Endpoint): boolean {
  if (traits.takesMoney || traits.mailsStrangers) return true;
  return needsSubscription === true && permission !== undefined && !permission.endsWith(':read');
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** The input of a handler: every part parsed by the contract. */
export type EndpointInput<E extends Endpoint> = {
  params: Output<E['params']>;
  query: Output<E['query']>;
  headers: Output<E['headers']>;
  body: Output<E['body']>;
};

type Filled<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };

/** The input of a caller: only the parts that the endpoint has, before parsing. */
export type EndpointCall<E extends Endpoint> = Filled<{
  params: Input<E['params']>;
  query: Input<E['query']>;
  headers: Input<E['headers']>;
  body: Input<E['body']>;
}>;

/** The body of any success answer. */
export type EndpointResponse<E extends Endpoint> = {
  [S in keyof E['response']]: Output<E['response'][S]>;
}[keyof E['response']];
