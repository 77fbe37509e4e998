import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { ConfigError } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { BackupError } from '#server/platform/db/backup/manifest.ts';
import { EmbeddedPostgresError } from '#server/platform/db/embedded/embedded-postgres.ts';
import { isDatabaseUnavailable } from '#server/platform/db/errors.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { describeFileFault, isFileFault } from '#server/platform/file-faults.ts';
import { SecretKeyFileError } from '#server/platform/secret-key.ts';
import { MoveError } from './move-accounts.ts';

/** A command was typed wrongly; the message says how it is typed. */
export class UsageError extends Error {}

export type Input = {
  /** The arguments after the command's words, without options. */
  args: readonly string[];
  option(name: string): string | undefined;
};

/** The answer of a command: printed as a table or as lines, or as JSON with `--json`. */
export type Answer = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];

export type Command = {
  /** As it is typed: `accounts suspend`. */
  words: string;
  /** As it was typed once, which still works. */
  formerly?: string;
  /** The arguments in the help: `ID --reason TEXT`. */
  usage: string;
  summary: string;
  /** How many arguments it needs. */
  takes: number;
  options?: readonly string[];
  run(ctx: Context, input: Input): Promise<Answer>;
};

/** The name for the log: what `--operator` or the shell's `sudo` says, else who runs the process. */
export function operatorName({ option }: Input): string {
  return option('operator') ?? userInfo().username;
}

/** The command that `argv` names with its input. Throws `UsageError` where it names none, or is not typed as it should. */
export function findCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { command: Command; input: Input; isJson: boolean } {
  const isTyped = (words: string | undefined) => words === argv.slice(0, words?.split(' ').length).join(' ');
  const command = commands.find(({ words, formerly }) => isTyped(words) || isTyped(formerly));
  if (!command) throw new UsageError(usageOf(commands, argv[0]));
  const names = [...(command.options ?? []), 'operator'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    const { values, positionals } = parseArgs({
      args: argv.slice(command.words.split(' ').length),
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: true,
    });
    if (positionals.length !== command.takes) throw new Error(`Expected ${command.usage || 'nothing'} after it`);
    const typed: Readonly<Record<string, unknown>> = values;
    const option = (name: string) => {
      const value = typed[name];
      return typeof value === 'string' ? value : undefined;
    };
    return { command, input: { args: positionals, option }, isJson: typed['json'] === true };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`dovepost-admin ${command.words} ${command.usage}: ${reason}`);
  }
}

function usageOf(commands: readonly Command[], group: string | undefined): string {
  const ofGroup = commands.filter(({ words }) => words.startsWith(`${group} `));
  const lines = (ofGroup.length > 0 ? ofGroup : commands).map(
    ({ words, usage, summary }) => `  ${`${words} ${usage}`.padEnd(54)} ${summary}`,
  );
  return ['Usage: dovepost-admin COMMAND [--json] [--operator NAME]', ...lines].join('\n');
}

/** An id of ours, or `UsageError`. */
export function readId(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`Expected an id, got ${text ?? 'none'}`);
  return Number(text);
}

/** Errors that the operator can mend are described in one line; any other comes with its stack. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isDatabaseUnavailable(error) || isUnreachable(error)) {
    const cause = error.message.replace(/^The database is unavailable: /, '');
    return `The database is unavailable: ${cause}. Check DATABASE_URL; npm run doctor says more`;
  }
  if (isNotMigrated(error)) return 'The database is not of this version: npm run migrate, or a start, brings it there';
  if (isFileFault(error)) return describeFileFault(error);
  const known = [
    ConfigError,
    EmbeddedPostgresError,
    SecretKeyFileError,
    UsageError,
    ProblemError,
    BackupError,
    MoveError,
  ];
  return known.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}

const codeOf = (error: Error) => ('code' in error ? String(error.code) : '');

/** The address leads nowhere, or the server lets nobody in who says that: refused, no such host, wrong password. */
const isUnreachable = (error: Error) =>
  /^(ECONN\w+|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|28\w{3}|3D000)$/.test(codeOf(error));

/** SQLSTATE 42P01: no such table. */
const isNotMigrated = (error: Error) => codeOf(error) === '42P01';

/** A list as a table, one thing as a line a field. */
export function printed(answer: Answer): string {
  if (!isList(answer)) return fieldLines(answer);
  if (answer.length === 0) return 'Nothing.';
  const columns = Object.keys(answer[0] ?? {});
  const cells = [columns, ...answer.map((row) => columns.map((column) => textOf(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const isList = (answer: unknown): answer is readonly Readonly<Record<string, unknown>>[] => Array.isArray(answer);

function fieldLines(answer: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(answer).map((name) => name.length));
  return Object.entries(answer)
    .map(([name, value]) =>
      isList(value) && value.every((item) => typeof item === 'object')
        ? `${name}:\n${printed(value).replaceAll(/^/gm, '  ')}`
        : `${name.padEnd(width)}  ${textOf(value)}`,
    )
    .join('\n');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
