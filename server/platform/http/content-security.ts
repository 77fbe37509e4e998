import type { FastifyHelmetOptions } from '@fastify/helmet';

type ContentSecurityPolicy = Exclude<FastifyHelmetOptions['contentSecurityPolicy'], boolean | undefined>;

/**
 * The sources that a page may load and run: only the product's own files, and the scripts written into the page itself
 * whose hashes are given (`'sha256-…'`, https://www.w3.org/TR/CSP3/#grammardef-hash-source).
 */
export function contentSecurityPolicy(scriptHashes: readonly string[] = []): ContentSecurityPolicy {
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", ...scriptHashes],
      // Widths of usage bars and places of what floats are set on the elements themselves.
      styleSrc: ["'self'", "'unsafe-inline'"],
      // Files of messages are fetched with the session's token, and shown from within the page.
      imgSrc: ["'self'", 'data:', 'blob:'],
      mediaSrc: ["'self'", 'blob:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  };
}
