import { ProblemError, UnauthenticatedError } from '#server/platform/errors.ts';

/** A person as the identity provider knows them; `issuer` and `subject` together never name anybody else. */
export type ProvidedIdentity = {
  issuer: string;
  subject: string;
  name: string | undefined;
  email: string | undefined;
  isEmailVerified: boolean;
  /** When they showed there who they are; undefined where the provider does not say. */
  authenticatedAt: Date | undefined;
};

/** Made anew for each sign-in; all but `verifier` are seen by the provider and in the browser's address. */
export type SignInSecrets = { state: string; nonce: string; verifier: string };

export type IdentityProvider = {
  readonly label: string;
  readonly issuer: string;
  /** The address to send the browser to. `isAnew`: the person is to be asked, though the provider knows them already. */
  begin(input: { secrets: SignInSecrets; isAnew: boolean }): Promise<string>;
  /** Throws 401 `oidc_refused`, 503 `oidc_unavailable`. */
  finish(input: {
    secrets: SignInSecrets;
    answer: { code: string; state: string; iss?: string | undefined };
    isAnew: boolean;
  }): Promise<ProvidedIdentity>;
};

/** The answer belongs to no question that is still open. */
export class OidcRefusedError extends UnauthenticatedError {
  constructor(message = 'This sign-in has expired, was used already or was begun in another browser. Begin anew.') {
    super('oidc_refused', message);
  }
}

export class OidcUnavailableError extends ProblemError {
  /** `cause` is for the operator alone. */
  constructor(label: string, cause: unknown) {
    const message = `Signing in with ${label} does not work right now. Try again in a minute, or sign in another way.`;
    super(503, 'oidc_unavailable', message, { headers: { 'retry-after': '60' } });
    this.cause = cause;
  }
}
