import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { Message } from '#contracts/messages.ts';
import { hasFile } from './media-message.ts';
import { thumbnailQuery } from './media-query.ts';

/** The picture of a message, small; nothing for whatever else. The words beside it say what it is. */
export function Thumbnail({ message, className }: { message: Message; className: string }) {
  if (!hasFile(message)) return null;
  const { id } = message.media;
  if (message.type === 'video') return <FirstPicture mediaId={id} className={className} />;
  const isPicture = message.type === 'image' || message.type === 'sticker';
  return isPicture ? <SmallPicture mediaId={id} className={className} /> : null;
}

/** Of a film; nothing where it has none. */
export function FirstPicture({ mediaId, className }: { mediaId: string; className: string }) {
  const { data } = useQuery(thumbnailQuery(mediaId));
  if (data === undefined) return null;
  return <img src={data.url} alt="" className={clsx('shrink-0 rounded-small object-cover', className)} />;
}

/** A stored picture, small; `className` gives its size. */
export function SmallPicture({ mediaId, className }: { mediaId: string; className: string }) {
  const { data } = useQuery(thumbnailQuery(mediaId));
  const place = clsx('shrink-0 rounded-small', className);
  if (data === undefined) return <span aria-hidden="true" className={clsx(place, 'bg-gray-wash')} />;
  return <img src={data.url} alt="" className={clsx(place, 'object-cover')} />;
}
