import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { Message } from '#contracts/messages.ts';
import { hasFile } from './media-message.ts';
import { thumbnailQuery } from './media-query.ts';

/** The picture of a message, small; nothing for whatever else. The words beside it say what it is. */
export function Thumbnail({ message, className }: { message: Message; className: string }) {
  if (!hasFile(message)) return null;
  const isPictured = message.type === 'image' || message.type === 'sticker' || message.type === 'video';
  return isPictured && message.media.has_thumbnail ? (
    <SmallPicture mediaId={message.media.id} className={className} />
  ) : null;
}

/** Of a film, over the whole of what is around it; nothing where it has none. */
export function FirstPicture({ media: { id, has_thumbnail: isThere } }: FirstPictureProps) {
  const { data } = useQuery({ ...thumbnailQuery(id), enabled: isThere === true });
  if (data === undefined) return null;
  return <img src={data.url} alt="" className="absolute inset-0 size-full object-cover opacity-70" />;
}

type FirstPictureProps = { media: { id: string; has_thumbnail?: boolean | undefined } };

/** A stored picture, small; `className` gives its size. */
export function SmallPicture({ mediaId, className }: { mediaId: string; className: string }) {
  const { data } = useQuery(thumbnailQuery(mediaId));
  const place = clsx('shrink-0 rounded-small', className);
  if (data === undefined) return <span aria-hidden="true" className={clsx(place, 'bg-gray-wash')} />;
  return <img src={data.url} alt="" className={clsx(place, 'object-cover')} />;
}
