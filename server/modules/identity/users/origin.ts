import type { Caller } from '#server/route.ts';

/** Where a request came from. */
export type Origin = { ip: string; userAgent: string | undefined };

export function originOf({ ip, request }: Pick<Caller, 'ip' | 'request'>): Origin {
  return { ip, userAgent: request.headers['user-agent'] };
}
