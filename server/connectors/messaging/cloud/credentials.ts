import { z } from 'zod';

/** The values that an owner enters for a number of the official API; kept as the credentials of its phone. */
export const CloudCredentials = z.object({
  phone_number_id: z.string(),
  business_account_id: z.string(),
  access_token: z.string(),
  app_secret: z.string(),
  pin: z.string().nullable(),
  /** By the operator's app: its owner replaces the token by signing up again. */
  signed_up: z.boolean().default(false),
});
export type CloudCredentials = z.infer<typeof CloudCredentials>;

export const cloudEngine = 'cloud-api';

export function parseCredentials(text: string): CloudCredentials {
  return CloudCredentials.parse(JSON.parse(text));
}
