import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import { errorText } from '../api-error.ts';
import { Spinner } from '../ui/spinner.tsx';
import { formatBytes } from './format-bytes.ts';
import { DocumentBox } from './media/document-box.tsx';
import { mediaQuery } from './media/media-query.ts';
import { FirstPicture } from './media/thumbnail.tsx';
import { Picture, tileClass } from './media/tiles.tsx';
import { kindWord } from './message-summary.ts';

/** The file that every message of a campaign, a flow or a bulk run carries, in its bubble. */
export function CarriedContent({ media, isWhole = false }: { media: CarriedMedia; isWhole?: boolean }) {
  const { id, type, file_name } = media;
  switch (type) {
    case 'image':
      return <Picture isWhole={isWhole} mediaId={id} alt={file_name ?? kindWord(type)} />;
    case 'video':
      return <Film media={media} />;
    case 'document':
      return <DocumentBox media={media} />;
  }
}

/** A video may be large: it is fetched once it is to be played. */
function Film({ media }: { media: CarriedMedia }) {
  const { id, file_name, size } = media;
  const [isWanted, setWanted] = useState(false);
  const { data, error, refetch } = useQuery({ ...mediaQuery(id), enabled: isWanted });
  const name = file_name ?? kindWord('video');
  if (data !== undefined) {
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people film has no captions
      <video src={data.url} controls autoPlay aria-label={name} className={`${tileClass} bg-[oklch(0_0_0)]`} />
    );
  }
  return (
    <button
      type="button"
      aria-label={`Play ${name}`}
      onClick={() => (error === null ? setWanted(true) : void refetch())}
      className={`${tileClass} relative grid place-items-center bg-[oklch(0.28_0.02_220)] text-white`}
    >
      <FirstPicture media={media} />
      <span className="relative grid size-13 place-items-center rounded-full bg-white/90 text-[oklch(0.28_0.02_220)]">
        {isWanted && error === null ? <Spinner /> : <Play aria-hidden="true" className="ml-0.5 size-6 fill-current" />}
      </span>
      <span
        role="status"
        className="absolute bottom-2 left-2.5 max-w-[calc(100%-1.25rem)] rounded-small bg-black/55 px-1.5 text-left text-12 tabular-nums"
      >
        {error === null ? `Video · ${formatBytes(size)}` : errorText(error, 'The video could not be loaded')}
      </span>
    </button>
  );
}
