import type { Context } from '#server/context.ts';
import { hashToken } from '#server/platform/secrets.ts';

/** Passkeys belong to the host of PUBLIC_URL: an address in digits has none, as browsers see it. */
export function relyingParty({ config }: Pick<Context, 'config'>): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(config.publicUrl);
  return { rpID: hostname, origin };
}

/** By this handle an authenticator tells people apart; it says nothing of them. */
export const userHandleOf = (userId: number): Buffer => hashToken(`passkeys of user ${userId}`);

/** As above, of somebody whom a link invites: they have no id yet. */
export const handleOfJoiner = (link: string): Buffer => hashToken(`passkeys of whom ${link} invites`);
