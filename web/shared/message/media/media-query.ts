import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { request } from '#web/shared/api.ts';
import { noPlaceholder } from '#web/shared/queries.ts';

/** So long after the last look, its bytes are let go of. */
const keptMs = 60_000;

const scope = 'media';

/** The bytes of a file, with their type, and an address of them within this page. */
export type FetchedMedia = { blob: Blob; url: string };

export const mediaQuery = (mediaId: string) => bytesQuery('GET /api/media/{mediaId}', mediaId);

export const thumbnailQuery = (mediaId: string) => bytesQuery('GET /api/media/{mediaId}/thumbnail', mediaId);

type BytesOf = 'GET /api/media/{mediaId}' | 'GET /api/media/{mediaId}/thumbnail';

/** They never change: news does not fetch them again. */
function bytesQuery(name: BytesOf, mediaId: string) {
  return queryOptions({
    queryKey: [scope, name, mediaId],
    queryFn: async ({ signal }): Promise<FetchedMedia> => {
      const response = await request(name, { params: { mediaId } }, { signal });
      const blob = await response.blob();
      return { blob, url: URL.createObjectURL(blob) };
    },
    staleTime: 'static',
    gcTime: keptMs,
    placeholderData: noPlaceholder,
  });
}

/** An address holds its bytes in memory until it is revoked: that is, once nobody has looked for a while. */
export function revokeUnusedMedia(queryClient: QueryClient): void {
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'removed' || query.queryKey[0] !== scope) return;
    const media = query.state.data as FetchedMedia | undefined;
    if (media !== undefined) URL.revokeObjectURL(media.url);
  });
}
