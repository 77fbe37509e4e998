import { CircleAlert, FileText, Image, Mic, Music, Sticker, Video } from 'lucide-react';
import type { Message } from '#contracts/messages.ts';
import { Spinner } from '#web/shared/ui/spinner.tsx';
import { ContentBox } from '../content-box.tsx';
import { formatBytes } from '../format-bytes.ts';
import { kindWord } from '../message-summary.ts';
import { DocumentBox } from './document-box.tsx';
import { hasFile } from './media-message.ts';
import { SoundPlayer } from './sound-player.tsx';
import { PictureTile, VideoTile } from './tiles.tsx';

const icons = { image: Image, video: Video, audio: Music, voice: Mic, document: FileText, sticker: Sticker } as const;

/** The file of a message: to look at, to listen to, or to download; else why it is not here. */
export function FileContent({ message }: { message: Message }) {
  if (!hasFile(message)) return <MissingFile message={message} />;
  switch (message.type) {
    case 'image':
    case 'sticker':
      return <PictureTile message={message} />;
    case 'video':
      return <VideoTile message={message} />;
    case 'audio':
    case 'voice':
      return <SoundPlayer message={message} />;
    default:
      return <DocumentBox media={message.media} />;
  }
}

/** Words for the person who looks: what became of it, and what can be done. */
function MissingFile({ message: { type, direction, media } }: { message: Message }) {
  const Icon = icons[type as keyof typeof icons] ?? FileText;
  const size = typeof media?.size === 'number' ? formatBytes(media.size) : undefined;
  const title = media?.file_name ?? kindWord(type);
  switch (media?.state) {
    case 'pending':
      return (
        <ContentBox icon={<Icon />} title={title}>
          <span role="status" className="flex items-center gap-1.5">
            <Spinner /> {['Being fetched', size].filter(Boolean).join(' · ')}
          </span>
        </ContentBox>
      );
    case 'failed':
      return (
        <ContentBox icon={<CircleAlert />} title={title}>
          Could not be fetched from WhatsApp.{direction === 'incoming' && ' Ask for it to be sent again.'}
        </ContentBox>
      );
    default:
      return (
        <ContentBox icon={<Icon />} title={title}>
          The file is no longer kept: its time was over.
        </ContentBox>
      );
  }
}
