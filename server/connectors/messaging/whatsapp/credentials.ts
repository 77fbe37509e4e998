import { BufferJSON, initAuthCreds } from 'baileys';
import type { AuthenticationCreds, WAVersion } from 'baileys';

/** An account's credentials out of storage; new ones where there are none, or none that were ever linked. */
export function parseCredentials(stored: string | undefined): AuthenticationCreds {
  if (stored === undefined) return initAuthCreds();
  const credentials = JSON.parse(stored, BufferJSON.reviver) as AuthenticationCreds;
  return isLinked(credentials) ? credentials : initAuthCreds();
}

export function serializeCredentials(credentials: AuthenticationCreds): string {
  return JSON.stringify(credentials, BufferJSON.replacer);
}

/** The account's signature comes with a finished link; a pairing code alone already names the account. */
export function isLinked({ account }: AuthenticationCreds): boolean {
  return account !== undefined && account !== null;
}

export function rememberedVersion({ additionalData }: AuthenticationCreds): WAVersion | undefined {
  return (additionalData as { webVersion?: WAVersion } | undefined)?.webVersion;
}

/** Answers whether it was another version than before. */
export function rememberVersion(credentials: AuthenticationCreds, webVersion: WAVersion): boolean {
  if (rememberedVersion(credentials)?.join() === webVersion.join()) return false;
  credentials.additionalData = { webVersion };
  return true;
}
