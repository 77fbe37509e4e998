import { forgetOtherRuns, forgetRuns } from '#web/features/bulk-send/run/forget-runs.ts';
import { forgetMessage } from '#web/features/dashboard/send/kept-message.ts';
import { forgetDrafts, forgetOtherDrafts } from '#web/features/inbox/composer/drafts.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { forgetCommands, forgetOtherCommands } from './palette/recent-commands.ts';

/** Removes the data that this browser keeps of a user, when their session ends. */
export function forgetUser(userId: number): void {
  forgetCommands(userId);
  forgetRuns(userId);
  forgetDrafts(userId);
  forgetMessage(userId);
}

/** Removes the data of other users, whose sessions ended while the browser was closed, when somebody signs in. */
export async function forgetOtherUsers(userId: number): Promise<void> {
  try {
    forgetOtherCommands(userId);
    forgetOtherDrafts(userId);
    await forgetOtherRuns(userId);
  } catch (error) {
    logFailure('What this browser keeps of others could not be deleted.', error);
  }
}
