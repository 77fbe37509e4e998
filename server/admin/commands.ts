import type { Context } from '#server/context.ts';
import { accountCommands } from './account-commands.ts';
import { phoneCommands } from './phone-commands.ts';
import { findCommand, printed } from './run-command.ts';
import { serverCommands } from './server-commands.ts';
import { userCommands } from './user-commands.ts';

const commands = [...accountCommands, ...userCommands, ...phoneCommands, ...serverCommands];

/**
 * Reads what was typed after `dovepost-admin`, before anything is opened; throws `UsageError` with what can be typed. The
 * answer runs it and resolves with what is printed.
 */
export function adminCommand(argv: readonly string[]): (ctx: Context) => Promise<string> {
  const { command, input, isJson } = findCommand(commands, argv);
  return async (ctx) => {
    const answer = await command.run(ctx, input);
    return isJson ? JSON.stringify(answer, null, 2) : printed(answer);
  };
}
