import { createDovepost } from '../index.ts';
import type { Dovepost, DovepostOptions } from '../index.ts';

export type Command = {
  args: string[];
  env: Readonly<Record<string, string | undefined>>;
  print(line: string): void;
  printError(line: string): void;
  /** Ends what runs until it is interrupted. */
  signal: AbortSignal;
};

export type Flags = Readonly<Record<string, string | boolean | string[] | undefined>>;
export type Running = Pick<Command, 'print' | 'printError' | 'signal'> & {
  client: Dovepost;
  options: DovepostOptions;
  flags: Flags;
  words: string[];
};

/** A mistake in how it was called: said without more. */
export class UsageError extends Error {}

/** Messages are sent with a project's key, which the account's can read. */
export async function clientThatSends({
  client,
  options: settings,
}: Pick<Running, 'client' | 'options'>): Promise<Dovepost> {
  if (settings.authKey) return client;
  const params = { projectId: await client.projectId() };
  const { auth_key: authKey } = await client.request('GET /api/projects/{projectId}', { params });
  if (authKey === null)
    throw new UsageError('Your role is shown no auth key: set DOVEPOST_AUTH_KEY to a key of the project');
  return createDovepost({ ...settings, authKey });
}

/** Of a flag that takes several, with commas between or each with the flag. */
export const listOf = (flag: Flags[string]): string[] =>
  Array.isArray(flag) ? flag.flatMap((part) => part.split(',')).flatMap((part) => part.trim() || []) : [];
