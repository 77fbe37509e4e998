import type { BulkAction, BulkResource } from '#contracts/bulk-actions.ts';
import { callApi } from '../api.ts';
import { hasCode } from '../api-error.ts';
import { getSession } from '../session.ts';

export type Undoable = { resource: BulkResource; id: number };

/** As long as the toast with its undo is there, and time to reach it. */
export const undoSeconds = 10;
const pollMs = 300;
const mostPolls = 30;

/** A member who may do nothing to many things at once deletes at once, and for good. */
export const mayUndo = () => getSession().membership?.permissions.includes('bulk-actions:write') === true;

/**
 * Deletes in a while, so that it can be undone: the server waits, whatever becomes of this page. A profile is deleted at
 * once, and put back by an undo. Undefined: there is no room for it now, and nothing was done.
 */
export async function startDeletion({ resource, id }: Undoable): Promise<BulkAction | undefined> {
  const isKept = resource === 'profiles';
  try {
    const started = await callApi('POST /api/bulk-actions', {
      body: { resource, action: 'delete', ids: [id], ...(!isKept && { starts_in: undoSeconds }) },
    });
    return started.starts_at === null ? await ended(started) : started;
  } catch (error) {
    if (hasCode(error, 'too_many_bulk_actions')) return undefined;
    throw error;
  }
}

/** Everything is as it was before, once this has succeeded. */
export async function undoDeletion({ id: actionId, starts_at: startsAt }: BulkAction): Promise<void> {
  if (startsAt !== null) await callApi('POST /api/bulk-actions/{actionId}/cancel', { params: { actionId } });
  else await ended(await callApi('POST /api/bulk-actions/{actionId}/undo', { params: { actionId } }));
}

async function ended(action: BulkAction): Promise<BulkAction> {
  let latest = action;
  for (let polls = 0; polls < mostPolls && /working|undoing/.test(latest.status); polls += 1) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    latest = await callApi('GET /api/bulk-actions/{actionId}', { params: { actionId: action.id } });
  }
  return latest;
}
