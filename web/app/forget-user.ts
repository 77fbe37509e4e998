import { forgetOtherRuns, forgetRuns } from '#web/features/bulk-send/run/forget-runs.ts';
import { forgetDrafts, forgetOtherDrafts } from '#web/features/inbox/composer/drafts.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { forgetCommands, forgetOtherCommands } from './palette/recent-commands.ts';

/** What this browser keeps of a user goes with their session. */
export function forgetUser(userId: number): void {
  forgetCommands(userId);
  forgetRuns(userId);
  forgetDrafts(userId);
}

/** What it keeps of others, whose sessions ended while it was closed, goes when somebody else signs in. */
export async function forgetOtherUsers(userId: number): Promise<void> {
  try {
    forgetOtherCommands(userId);
    forgetOtherDrafts(userId);
    await forgetOtherRuns(userId);
  } catch (error) {
    logFailure('What this browser keeps of others could not be deleted.', error);
  }
}
