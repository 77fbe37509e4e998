import type { Context, Tx } from '#server/context.ts';
import { createToken, hashToken, tokenKind } from '#server/platform/secrets.ts';

const lifetimeMs = 30 * 86_400_000;
const mostDevices = 20;
const cookieName = 'dovepost_device';

/** Whether the token is of a browser that the person wants not to be asked in. */
export async function isRemembered(ctx: Context, userId: number, token: string | undefined): Promise<boolean> {
  if (token === undefined || tokenKind(token) !== 'device') return false;
  const found = await ctx.db
    .selectFrom('remembered_devices')
    .select('account_id')
    .where('account_id', '=', userId)
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  return found !== undefined;
}

/** The oldest goes where a person has too many. */
export async function rememberDevice(tx: Tx, userId: number): Promise<string> {
  const token = createToken('device');
  const expiresAt = new Date(tx.clock.now().getTime() + lifetimeMs);
  await tx.db
    .insertInto('remembered_devices')
    .values({ token_hash: hashToken(token), account_id: userId, expires_at: expiresAt })
    .execute();
  const surplus = tx.db
    .selectFrom('remembered_devices')
    .select('token_hash')
    .where('account_id', '=', userId)
    .orderBy('expires_at', 'desc')
    .offset(mostDevices);
  await tx.db
    .deleteFrom('remembered_devices')
    .where('account_id', '=', userId)
    .where('token_hash', 'in', surplus)
    .execute();
  return token;
}

/** Sent to the sign-in alone, and out of reach of scripts. */
export function deviceCookie({ config }: Pick<Context, 'config'>, token: string): string {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName}=${token}; Max-Age=${lifetimeMs / 1000}; Path=/api/auth/login; HttpOnly; SameSite=Strict${secure}`;
}

export function deviceTokenOf(cookies: string | undefined): string | undefined {
  const pairs = cookies?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
}
