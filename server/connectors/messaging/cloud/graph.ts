import { z } from 'zod';

/** An error of Graph: what to do is decided by `code`; `details` is the network's own sentence. */
export type GraphFault = { code: number; message: string; details: string | null; subcode?: number };

/**
 * How a call ended. `unreachable`: it was never written; `unknown`: it was written, and no usable answer came, so that it
 * may have been carried out.
 */
export type GraphAnswer<T> =
  | { kind: 'answered'; body: T }
  | { kind: 'fault'; fault: GraphFault }
  | { kind: 'unreachable'; reason: string }
  | { kind: 'unknown'; reason: string };

/** Fields that are not known are kept out of the way; nothing of Meta's is required to be absent. */
const FaultBody = z.object({
  error: z.object({
    code: z.coerce.number(),
    message: z.string().catch(''),
    error_subcode: z.coerce.number().optional().catch(undefined),
    error_data: z
      .object({ details: z.string().optional().catch(undefined) })
      .optional()
      .catch(undefined),
  }),
});

/** An id that Graph does not know is a wrong parameter to it, with a subcode that is deprecated. */
const wrongParameter = 100;
const missing = 33;
const missingWords = /^(\(#100\) )?Unsupported \w+ request\. Object with ID /;

export type GraphCall<T> = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the version, without a slash at its start. */
  path: string;
  /** Undefined: the query says who asks. */
  token: string | undefined;
  json?: object;
  form?: FormData;
  /** The body as it is, for a resumable upload, which has a scheme of its own for the token. */
  upload?: Blob;
  answer: z.ZodType<T>;
  timeoutMs?: number;
};

export type Graph = {
  call<T>(call: GraphCall<T>): Promise<GraphAnswer<T>>;
  /** Whether the token may be sent to this address: Meta's own hosts for files, and the configured one. */
  mayFetch(url: string): boolean;
};

const defaultTimeoutMs = 15_000;

/** The hosts from which Meta serves files. */
const fileHosts = /(^|\.)(facebook\.com|fbsbx\.com|whatsapp\.net|fbcdn\.net)$/;

/** Errors of a connection that was never made. */
const unmadeCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Graph at `baseUrl`, always of a named version: without one Meta takes whatever the app defaults to.
 * Source: developers.facebook.com/docs/graph-api/guides/versioning.
 */
export function createGraph({ baseUrl, version }: { baseUrl: string; version: string }): Graph {
  return {
    async call({ method, path, token, json, form, upload, answer, timeoutMs = defaultTimeoutMs }) {
      try {
        const response = await fetch(`${baseUrl}/${version}/${path}`, {
          method,
          headers: {
            ...(token !== undefined && { authorization: `${upload ? 'OAuth' : 'Bearer'} ${token}` }),
            ...(json && { 'content-type': 'application/json' }),
            ...(upload && { file_offset: '0' }),
          },
          ...(json && { body: JSON.stringify(json) }),
          ...(form && { body: form }),
          ...(upload && { body: upload }),
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        });
        return readAnswer(await response.text(), response.status, answer);
      } catch (error) {
        return failureOf(error);
      }
    },
    mayFetch(url) {
      if (!URL.canParse(url)) return false;
      const { protocol, hostname, origin } = new URL(url);
      return origin === new URL(baseUrl).origin || (protocol === 'https:' && fileHosts.test(hostname));
    },
  };
}

function readAnswer<T>(text: string, status: number, schema: z.ZodType<T>): GraphAnswer<T> {
  const body = parseJson(text);
  const refused = FaultBody.safeParse(body);
  if (refused.success) {
    const { code, message, error_subcode: subcode, error_data: data } = refused.data.error;
    const isMissing = code === wrongParameter && (subcode === missing || missingWords.test(message));
    const fault = { code: isMissing ? missing : code, message, details: data?.details ?? null };
    return { kind: 'fault', fault: subcode === undefined ? fault : { ...fault, subcode } };
  }
  const parsed = schema.safeParse(body);
  if (status < 300 && parsed.success) return { kind: 'answered', body: parsed.data };
  return { kind: 'unknown', reason: `Meta answered ${status} without a body that can be read` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown): Extract<GraphAnswer<never>, { reason: string }> {
  const { name, cause, message } = error as Error & { cause?: { code?: string } };
  if (cause?.code !== undefined && unmadeCodes.has(cause.code)) {
    return { kind: 'unreachable', reason: `Meta could not be reached (${cause.code})` };
  }
  const reason = name === 'TimeoutError' ? 'Meta did not answer in time' : `The connection to Meta broke (${message})`;
  return { kind: 'unknown', reason };
}

/** The fault in words: what the network says, with its code. */
export const faultText = ({ code, message, details }: GraphFault) =>
  `${details ?? message.replace(/^\(#\d+\)\s*/, '')} (${code})`;
