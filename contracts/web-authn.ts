import { z } from 'zod';

/** Options for `navigator.credentials`, as JSON: WebAuthn Level 3, 5.1.10. */
export const PasskeyOptions = z.object({
  options: z
    .record(z.string(), z.unknown())
    .describe('As `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` take it.'),
});
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

/** An answer of a browser: free, as new releases of browsers add to it; the server reads what it needs. */
export const RegistrationResponse = z
  .record(z.string(), z.unknown())
  .describe('What `navigator.credentials.create` answered, as JSON (WebAuthn, RegistrationResponseJSON).');

export const AuthenticationResponse = z
  .record(z.string(), z.unknown())
  .describe('What `navigator.credentials.get` answered, as JSON (WebAuthn, AuthenticationResponseJSON).');
export type AuthenticationResponse = z.infer<typeof AuthenticationResponse>;
