import type { z } from 'zod';
import type { updateConversations as contract } from '#contracts/conversations.ts';
import { recordingAct } from '#server/audit.ts';
import type { AccountContext } from '#server/context.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { changeConversation } from './update-conversation.ts';

type UpdateConversations = z.output<typeof contract.body>;
type Outcome = z.output<(typeof contract.response)[200]>;

/** Changes many, each in a transaction of its own, so that none waits for the locks of a hundred others. */
export async function updateConversations(
  ctx: AccountContext,
  { ids, ...change }: UpdateConversations,
): Promise<Outcome> {
  const outcome: Outcome = { changed_count: 0, missing_ids: [], failures: [] };
  for (const id of new Set(ids)) {
    const acting = { ...ctx, act: ctx.act && { ...ctx.act, targetId: id } };
    try {
      const isChanged = await recordingAct(acting, (tx) => changeConversation(tx, { conversationId: id, ...change }));
      if (isChanged) outcome.changed_count += 1;
    } catch (error) {
      if (error instanceof NotFoundError) outcome.missing_ids.push(id);
      else if (error instanceof InvalidInputError) outcome.failures.push({ id, message: error.message });
      else throw error;
    }
  }
  return outcome;
}
