import type { PasskeyOptions } from '#contracts/web-authn.ts';
import { errorText } from './api-error.ts';

/** Whether this browser knows passkeys; an address in digits has none. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname);

type Answer = Record<string, unknown>;

/** Asks the browser for a new passkey. Throws where the person declines. */
export async function createPasskey({ options }: PasskeyOptions): Promise<Answer> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return { ...(await startRegistration({ optionsJSON: options as never })) };
}

/** Asks for a passkey that is there. Throws where the person declines. */
export async function askForPasskey({ options }: PasskeyOptions): Promise<Answer> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return { ...(await startAuthentication({ optionsJSON: options as never })) };
}

/** A sentence for the person; browsers do not say why a question was declined. */
export function passkeyFailure(error: unknown, fallback: string): string {
  if (error instanceof Error && error.name === 'InvalidStateError') return 'This device has a passkey for you already.';
  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) {
    return 'No passkey was used: the question was closed, or this device has none for Dovepost.';
  }
  return errorText(error, fallback);
}
