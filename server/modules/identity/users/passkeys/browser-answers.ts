import { z } from 'zod';
import { InvalidInputError } from '#server/platform/errors.ts';

const bytes = (most: number) =>
  z
    .string()
    .regex(/^[\w-]*$/)
    .max(most);

/** WebAuthn Level 3, 5.1.8: the parts of RegistrationResponseJSON and AuthenticationResponseJSON that are read. */
const credential = { id: bytes(1_400).min(1), rawId: bytes(1_400).min(1), type: z.literal('public-key') };

const Registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_192),
    attestationObject: bytes(65_536),
    transports: z
      .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']).catch('hybrid'))
      .max(16)
      .default([]),
  }),
});

const Authentication = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_192),
    authenticatorData: bytes(8_192),
    signature: bytes(8_192),
    userHandle: bytes(128)
      .nullish()
      .transform((handle) => handle ?? undefined),
  }),
});
export type Authentication = z.infer<typeof Authentication>;

/** Of the body that has it. */
type Field = 'response' | 'passkey';

export const readRegistration = (answer: unknown, field: Field) => read(Registration, field, answer);

export const readAuthentication = (answer: unknown, field: Field) => read(Authentication, field, answer);

/** Throws 422. */
function read<T>(schema: z.ZodType<T>, field: string, answer: unknown): T {
  const { success, data } = schema.safeParse(answer);
  if (success) return data;
  throw new InvalidInputError([{ path: field, message: 'This is no answer of a passkey' }]);
}
