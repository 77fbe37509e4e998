import type { BulkResource } from '#contracts/bulk-actions.ts';
import { logFailure } from '../log-failure.ts';

const keyOf = (resource: BulkResource) => `dovepost.bulk-action.${resource}`;

/** The action of a list whose progress this tab showed last, and nobody has dismissed. */
export function keptAction(resource: BulkResource): number | undefined {
  try {
    return Number(sessionStorage.getItem(keyOf(resource))) || undefined;
  } catch {
    return undefined;
  }
}

export function keepAction(resource: BulkResource, actionId: number | undefined): void {
  try {
    if (actionId === undefined) sessionStorage.removeItem(keyOf(resource));
    else sessionStorage.setItem(keyOf(resource), String(actionId));
  } catch (error) {
    logFailure('The bulk action could not be kept for a reload.', error);
  }
}
