import type { FastifyInstance } from 'fastify';
import { ProblemError } from '#server/platform/errors.ts';

/** Routes of this scope get their body as a stream, unread, and refuse (415) every other type. */
export function acceptOnly(scope: FastifyInstance, contentType: string): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(contentType, (_request, payload, done) => done(null, payload));
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(new ProblemError(415, 'unsupported_media_type', `Send the body as ${contentType}`));
  });
}
