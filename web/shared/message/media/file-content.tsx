import { CircleAlert, Download, FileText, Image, Mic, Music, Sticker, Video } from 'lucide-react';
import { useState } from 'react';
import type { Message } from '#contracts/messages.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Spinner } from '#web/shared/ui/spinner.tsx';
import { ContentBox } from '../content-box.tsx';
import { formatBytes } from '../format-bytes.ts';
import { kindWord } from '../message-summary.ts';
import { downloadMedia } from './download-media.ts';
import { hasFile, type MediaMessage } from './media-message.ts';
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
      return <Document message={message} />;
  }
}

function Document({ message }: { message: MediaMessage }) {
  const { media } = message;
  const [isBusy, setBusy] = useState(false);
  const kind = media.file_name === null ? undefined : (extensionOf(media.file_name) ?? kindWord('document'));

  async function download(): Promise<void> {
    setBusy(true);
    await downloadMedia(message);
    setBusy(false);
  }

  return (
    <ContentBox
      icon={<FileText />}
      title={media.file_name ?? kindWord('document')}
      action={
        <IconButton
          label={`Download ${media.file_name ?? 'the document'}`}
          size="small"
          icon={isBusy ? <Spinner /> : <Download className="size-4" />}
          disabled={isBusy}
          className="text-chat-ink"
          onClick={() => void download()}
        />
      }
    >
      {[kind, media.size === null ? undefined : formatBytes(media.size)].filter(Boolean).join(' · ')}
    </ContentBox>
  );
}

const extensionOf = (name: string) => /\.(?<extension>[a-z\d]{1,5})$/i.exec(name)?.groups?.['extension']?.toUpperCase();

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
