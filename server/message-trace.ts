import type { Context } from '#server/context.ts';
import { traceIdOf } from '#server/platform/tracing/traces.ts';

/** All that is done for a message, in whichever process and however much later, is one trace. */
export const messageTraceOf = ({ config }: Pick<Context, 'config'>, messageId: number) =>
  traceIdOf(config.publicUrl, 'message', messageId);
