import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { createOutage } from './outage.ts';
import type { Outage } from './outage.ts';

export type { Logger };

/** Tokens, keys and passwords never reach a log line, wherever they stand in the object that is logged. */
const secretFields = ['authorization', 'x-auth-key', 'password', 'token', 'api_key', 'auth_key', 'webhook_secret'];

const outages = new WeakMap<Logger, Outage>();

/** Lines of an outage of the database are one: whoever notices it first says so, and the others are counted. */
export function createLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  const outage = createOutage((about) => logger.info(about, 'the database answers again'));
  let isBeginning = false;
  const logger = pino(
    {
      level,
      redact: {
        paths: secretFields.flatMap((field) => {
          const key = field.includes('-') ? `["${field}"]` : field;
          return [key, `*${field.includes('-') ? key : `.${key}`}`, `req.headers["${field}"]`];
        }),
        censor: '[redacted]',
      },
      hooks: {
        logMethod(line, method) {
          const [about, message, ...values] = line as unknown[];
          const judged = isBeginning ? 'as it is' : outage.judge(about);
          if (judged === 'as it is') return method.apply(this, line);
          if (judged === 'left out') return;
          const beginning = { ...(about as object), noticedBy: message };
          isBeginning = true;
          this.error(beginning, 'the database is away; lines about it are left out until it answers', ...values);
          isBeginning = false;
        },
      },
    },
    destination,
  );
  outages.set(logger, outage);
  return logger;
}

/** Of the process's own logger, not of one that was derived from it. */
export const outageOf = (logger: Logger): Outage | undefined => outages.get(logger);
