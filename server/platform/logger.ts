import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type { Logger };

/** Tokens, keys and passwords never reach a log line, wherever they stand in the object that is logged. */
const secretFields = ['authorization', 'x-auth-key', 'password', 'token', 'api_key', 'auth_key', 'webhook_secret'];

export function createLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  const options = {
    level,
    redact: {
      paths: secretFields.flatMap((field) => {
        const key = field.includes('-') ? `["${field}"]` : field;
        return [key, `*${field.includes('-') ? key : `.${key}`}`, `req.headers["${field}"]`];
      }),
      censor: '[redacted]',
    },
  };
  return pino(options, destination);
}
