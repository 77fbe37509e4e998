import type { Metadata } from '#contracts/new-message.ts';
import type { ProjectContext } from '#server/context.ts';
import { askedOf, saysAll } from './content/resolve-content.ts';
import type { Requested } from './content/resolve-content.ts';
import { findEarlier, fingerprintOf } from './message-keys.ts';
import { readMessages } from './thread.ts';

type Request = Requested & {
  key: string | undefined;
  send_at?: string | undefined;
  metadata?: Metadata | undefined;
  override_opt_out?: boolean | undefined;
};

/**
 * The messages that earlier calls with the same keys and bodies accepted, by the place of the request; a request that
 * cannot be read is undefined. Found before what the bodies name is looked up: the time of a message may be over since,
 * and its file or the message that it forwards gone. A key that was used with another body has none here: accepting it
 * is refused.
 */
export async function findReplays(
  ctx: ProjectContext,
  requests: readonly (Request | undefined)[],
): Promise<ReadonlyMap<number, number>> {
  // A text that names nothing is answered where it is accepted, without a look-up of its own.
  const keys = requests.map((request) => ({ key: request && isLookedUp(request) ? request.key : undefined }));
  const earlier = await findEarlier(ctx, { account: ctx.account, projectId: ctx.project.id }, keys);
  if (earlier.size === 0) return new Map();
  const known = requests.flatMap((request, place) => {
    const first = request?.key === undefined ? undefined : earlier.get(request.key);
    return request && first ? [{ request, place, first }] : [];
  });
  const unsaid = known.flatMap(({ request, first }) => (textOf(request) === undefined ? [first.messageId] : []));
  const stored = new Map((await readMessages(ctx, unsaid)).map(({ id, body }) => [id, body]));
  const now = ctx.clock.now();
  return new Map(
    known.flatMap(({ request, place, first }): [number, number][] => {
      const text = textOf(request) ?? stored.get(first.messageId);
      if (text === undefined) return [];
      const asked = saysAll(request) ? undefined : askedOf(request);
      const isSame = timesOf(request, now).some((sendAt) =>
        fingerprintOf({ ...request, content: { type: 'text', text }, asked, sendAt }).equals(first.fingerprint),
      );
      return isSame ? [[place, first.messageId]] : [];
    }),
  );
}

const isLookedUp = (request: Request) => !saysAll(request) || request.send_at !== undefined;

/** The text of the message; undefined where only what the request names has it. */
function textOf({ type, message = '', poll, reaction, template, forward }: Requested): string | undefined {
  if (forward || template) return undefined;
  if (type === 'reaction') return reaction?.emoji;
  return type === 'poll' ? poll?.question : message;
}

/** A message whose time was only just over went at once. */
function timesOf({ send_at: sendAt }: Request, now: Date): (Date | undefined)[] {
  if (sendAt === undefined) return [undefined];
  const at = new Date(sendAt);
  return at > now ? [at] : [at, undefined];
}
