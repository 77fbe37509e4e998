const texts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'The connection was closed before an answer came',
  UND_ERR_SOCKET: 'The connection was closed before an answer came',
  EPIPE: 'The connection was closed before an answer came',
  ENOTFOUND: 'The host name was not found',
  ENODATA: 'The host name was not found',
  ETIMEOUT: 'The host name could not be looked up',
  EAI_AGAIN: 'The host name could not be looked up',
  ESERVFAIL: 'The host name could not be looked up',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: 'The connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out',
  CERT_HAS_EXPIRED: 'The TLS certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The TLS certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host',
};

/** Describes the failure of a request for the person who runs the endpoint. */
export function failureText(fault: unknown): string {
  if (!(fault instanceof Error)) return 'The request failed';
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
  if (code !== undefined && texts[code] !== undefined) return texts[code];
  // Several addresses were tried: the last fault stands for all.
  if (fault instanceof AggregateError && fault.errors.length > 0) return failureText(fault.errors.at(-1));
  if (fault.name === 'HTTPParserError') return 'The answer was not valid HTTP';
  return fault.message === '' ? (code ?? 'The request failed') : fault.message;
}
