import { parseArgs } from 'node:util';
import { createDovepost, DovepostError } from '../index.ts';
import type { Dovepost, DovepostOptions } from '../index.ts';
import { listen } from './listen.ts';
import { clientThatSends, listOf, UsageError } from './running.ts';
import type { Command, Flags, Running } from './running.ts';
import { send } from './send.ts';
import { trigger, triggerable } from './trigger.ts';

const usage = `dovepost <command>

  send     --to NUMBER --message TEXT [--at TIME] [--metadata KEY=VALUE]… [--json]
           Sends a message, now or later. NUMBER begins with + and the country's calling code, or is a national one
           of the account's default country; where it is not clear, the readings are suggested.
  listen   --forward-to URL [--events TYPE,TYPE] [--after SEQUENCE] [--secret WHSEC]
           Forwards what happens in the project to a server on this machine, signed as webhooks are.
  trigger  EVENT
           Makes an event happen with a sandbox phone: ${triggerable.join(', ')}.
  mcp      [--allow SCOPE,SCOPE]
           An MCP server over stdio. It reads, unless messages:send, contacts:write or
           events:write is allowed.

Settings, as a flag or in the environment:
  --url         DOVEPOST_URL         the server
  --auth-key    DOVEPOST_AUTH_KEY    a key of a project
  --api-key     DOVEPOST_API_KEY     the account's key
  --project     DOVEPOST_PROJECT_ID  the project, where the key does not say it`;

const options = {
  url: { type: 'string' },
  'auth-key': { type: 'string' },
  'api-key': { type: 'string' },
  project: { type: 'string' },
  to: { type: 'string' },
  message: { type: 'string' },
  at: { type: 'string' },
  metadata: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  'forward-to': { type: 'string' },
  secret: { type: 'string' },
  events: { type: 'string', multiple: true },
  after: { type: 'string' },
  allow: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Answers the exit code: 1 for a refusal, 2 where it was called wrongly. */
export async function runCommand({ args, env, print, printError, signal }: Command): Promise<number> {
  try {
    const { values: flags, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [name = 'help', ...words] = positionals;
    if (flags.help || name === 'help') {
      print(usage);
      return 0;
    }
    const commands = { send, listen, trigger, mcp: serveMcp };
    const command = Object.entries(commands).find(([key]) => key === name)?.[1];
    if (!command) throw new UsageError(`There is no command ${name}`);
    const [extra] = words.slice(command === trigger ? 1 : 0);
    if (extra !== undefined) {
      throw new UsageError(`${name} takes no ${extra}: a text of several words stands in quotation marks`);
    }
    const settings = settingsOf(flags, env);
    await command({ client: createDovepost(settings), options: settings, flags, words, print, printError, signal });
    return 0;
  } catch (error) {
    return explain(error, printError);
  }
}

/** The MCP server is loaded only by this command. */
async function serveMcp(running: Running): Promise<void> {
  const { allowable, serveOverStdio } = await import('../mcp/serve-over-stdio.ts');
  const allowed = listOf(running.flags['allow']).map((scope) => {
    const known = allowable.find((each) => each === scope);
    if (known) return known;
    const [near] = allowable.filter((each) => each.startsWith(scope.slice(0, 4)));
    const suggestion = near ? `Did you mean ${near}?` : `There are ${allowable.join(', ')}.`;
    throw new UsageError(`--allow takes no ${scope}. ${suggestion}`);
  });
  let sender: Promise<Dovepost> | undefined;
  await serveOverStdio(running.client, {
    allowed,
    signal: running.signal,
    sender: () => {
      // A failed lookup is not cached.
      sender ??= clientThatSends(running).catch((error: unknown) => {
        sender = undefined;
        throw error;
      });
      return sender;
    },
  });
}

function settingsOf(flags: Flags, env: Command['env']): DovepostOptions {
  const setting = (flag: string, name: string) => {
    const given = flags[flag];
    return typeof given === 'string' ? given : env[name];
  };
  const baseUrl = setting('url', 'DOVEPOST_URL');
  const authKey = setting('auth-key', 'DOVEPOST_AUTH_KEY');
  const apiKey = setting('api-key', 'DOVEPOST_API_KEY');
  const project = setting('project', 'DOVEPOST_PROJECT_ID');
  if (!baseUrl) throw new UsageError('Say where the server is: --url or DOVEPOST_URL');
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl))
    throw new UsageError(`The server is an address such as https://dovepost.example, not ${baseUrl}`);
  if (!authKey && !apiKey)
    throw new UsageError('Give a key: --auth-key or --api-key, DOVEPOST_AUTH_KEY or DOVEPOST_API_KEY');
  if (project !== undefined && !/^\d+$/.test(project)) throw new UsageError('The project is a number');
  return {
    baseUrl,
    ...(authKey && { authKey }),
    ...(apiKey && { apiKey }),
    ...(project && { projectId: Number(project) }),
  };
}

function explain(error: unknown, printError: Command['printError']): number {
  if (error instanceof DovepostError) {
    printError(`${error.message} (${error.code})`);
    for (const { path, message } of error.fieldErrors) printError(`  ${path}: ${message}`);
    if (error.suggestions.length > 0) printError(`  Did you mean ${error.suggestions.join(' or ')}?`);
    if (error.docs) printError(error.docs);
    return 1;
  }
  const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  printError(error instanceof Error ? error.message : String(error));
  if (isUsage) printError('dovepost --help says how it is called.');
  return isUsage ? 2 : 1;
}
