import type { BoundTemplate } from '#contracts/bound-templates.ts';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import { formatTime } from '../time-format.ts';
import { Card } from '../ui/card.tsx';
import { Chat, ChatBubble } from '../ui/chat-bubble.tsx';
import { languageName } from '../whatsapp-template/template-words.ts';
import { CarriedContent } from './carried-content.tsx';

type MessageCardProps = {
  text: string;
  /** The file above the text. */
  media: CarriedMedia | null;
  /** In place of both. */
  template?: BoundTemplate | null;
  /** ISO 8601. */
  at: string;
};

/** The message of a campaign, a flow or a bulk run, its placeholders as they were written. */
export function MessageCard({ text, media, template = null, at }: MessageCardProps) {
  const carried = template === null ? media : template.header_media;
  return (
    <Card
      flush
      title="Message"
      {...(template !== null && { description: <TemplateWords template={template} /> })}
      className="overflow-hidden"
    >
      <Chat className="max-h-96 overflow-y-auto border-t">
        <ChatBubble
          text={template?.text ?? text}
          time={formatTime(at)}
          status="unsent"
          carried={carried !== null && <CarriedContent media={carried} />}
        />
      </Chat>
    </Card>
  );
}

function TemplateWords({ template: { name, languages } }: { template: BoundTemplate }) {
  return (
    <>
      WhatsApp template <code className="font-mono text-12 wrap-anywhere">{name}</code> in{' '}
      {new Intl.ListFormat('en-GB').format(languages.map(languageName))}
    </>
  );
}
