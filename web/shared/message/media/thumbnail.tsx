import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { Message } from '#contracts/messages.ts';
import { hasFile } from './media-message.ts';
import { thumbnailQuery } from './media-query.ts';

/** The picture of a message, small; nothing for whatever else. The words beside it say what it is. */
export function Thumbnail({ message, className }: { message: Message; className: string }) {
  const isPicture = message.type === 'image' || message.type === 'sticker';
  return isPicture && hasFile(message) ? <SmallPicture mediaId={message.media.id} className={className} /> : null;
}

/** A stored picture, small; `className` gives its size. */
export function SmallPicture({ mediaId, className }: { mediaId: string; className: string }) {
  const { data } = useQuery(thumbnailQuery(mediaId));
  const place = clsx('shrink-0 rounded-small', className);
  if (data === undefined) return <span aria-hidden="true" className={clsx(place, 'bg-gray-wash')} />;
  return <img src={data.url} alt="" className={clsx(place, 'object-cover')} />;
}
