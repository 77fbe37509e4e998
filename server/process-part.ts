import type { Context, Process } from '#server/context.ts';

/**
 * Something that lives as long as its process and that all contexts of the process share: lookups that are batched,
 * open streams. The part is created on first use, with the process's own context, so that it never holds on to a
 * request or to a transaction. Two processes in one program, as tests have them, share nothing.
 */
export function processPart<T extends object>(create: (ctx: Context) => T): (of: Pick<Context, 'process'>) => T {
  const parts = new WeakMap<Process, T>();
  return ({ process }) => {
    const part = parts.get(process) ?? create(process.ctx);
    parts.set(process, part);
    return part;
  };
}
