import { queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { request } from '#web/shared/api.ts';

/** So long after the last look, its bytes are let go of. */
const keptMs = 60_000;

/** The bytes of a file, with their type. They never change: news does not fetch them again. */
export function mediaQuery(mediaId: string) {
  return queryOptions({
    queryKey: ['media', mediaId],
    queryFn: async ({ signal }) => {
      const response = await request('GET /api/media/{mediaId}', { params: { mediaId } }, { signal });
      return response.blob();
    },
    staleTime: 'static',
    gcTime: keptMs,
    retry: false,
  });
}

/** An address of the bytes within this page; undefined until there are any. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (blob === undefined) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(made);
    };
  }, [blob]);
  return url;
}
