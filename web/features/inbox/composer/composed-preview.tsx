import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { firstLink } from '#contracts/first-link.ts';
import { callApi } from '#web/shared/api.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { useDebounced } from '#web/shared/use-debounced.ts';

const pauseMs = 500;
/** As long as the server remembers a page. */
const freshMs = 10 * 60_000;

/** How the link in a text will be shown to its reader, with a way to leave that out. */
export function ComposedPreview({ text, onLeaveOut }: { text: string; onLeaveOut: (url: string) => void }) {
  const url = useDebounced(firstLink(text), pauseMs);
  const { data } = useQuery({
    queryKey: ['link-previews', url],
    queryFn: ({ signal }) => callApi('GET /api/link-preview', { query: { url: url ?? '' } }, { signal }),
    enabled: url !== undefined && URL.canParse(url),
    staleTime: freshMs,
    retry: false,
  });
  const preview = data?.preview;
  if (!preview || preview.url !== firstLink(text)) return null;
  return (
    <div
      role="group"
      aria-label="Link preview"
      className="m-1.5 flex items-center gap-2.5 rounded-small border-l-3 border-accent bg-sunken py-1.5 pr-1 pl-2.5"
    >
      {preview.picture !== null && (
        <img src={preview.picture} alt="" className="size-11 shrink-0 rounded-small object-cover" />
      )}
      <div className="min-w-0 flex-1 text-12">
        <p className="truncate font-medium">{preview.title}</p>
        {preview.description !== null && <p className="truncate text-muted">{preview.description}</p>}
        <p className="truncate text-muted">{URL.parse(preview.url)?.host}</p>
      </div>
      <IconButton
        label="Send without the preview"
        size="small"
        icon={<X className="size-3.5" />}
        onClick={() => onLeaveOut(preview.url)}
      />
    </div>
  );
}
