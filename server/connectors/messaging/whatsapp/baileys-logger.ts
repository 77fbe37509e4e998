import type { Logger } from '#server/platform/logger.ts';

type BaileysLogger = {
  level: string;
  child(bindings: Record<string, unknown>): BaileysLogger;
} & Record<'trace' | 'debug' | 'info' | 'warn' | 'error', (subject: unknown, message?: string) => void>;

/**
 * Baileys logs whole nodes, credentials and messages beside its sentences. Only the sentence and an error's message
 * come through, and what it calls info is debug here.
 */
export function createBaileysLogger(logger: Logger): BaileysLogger {
  const adapter: BaileysLogger = {
    // Read by Baileys before it formats nodes for the log; never 'trace' or 'debug'.
    level: 'info',
    child: () => adapter,
    trace() {},
    debug() {},
    info: (subject, message) => logger.debug(sentenceOf(subject, message)),
    warn: (subject, message) => logger.debug(errorOf(subject), sentenceOf(subject, message)),
    error: (subject, message) => logger.warn(errorOf(subject), sentenceOf(subject, message)),
  };
  return adapter;
}

function sentenceOf(subject: unknown, message: string | undefined): string {
  return typeof subject === 'string' ? subject : (message ?? '');
}

function errorOf(subject: unknown): { reason?: string } {
  if (typeof subject !== 'object' || subject === null) return {};
  const { err, error } = subject as { err?: unknown; error?: unknown };
  const cause = err ?? error;
  return cause instanceof Error ? { reason: cause.message } : {};
}
