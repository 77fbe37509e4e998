import { clsx } from 'clsx';
import { Copy, ExternalLink, FileText, Image, MapPin, Phone, Reply, Video, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { partOf, renderTemplate, type TemplateParts } from '#contracts/whatsapp-template-parts.ts';
import { formatTime } from '../time-format.ts';
import { MarkedText } from '../ui/chat-bubble.tsx';
import { readMarks } from '../ui/message-marks.ts';

const buttonIcons: Readonly<Record<string, LucideIcon>> = {
  QUICK_REPLY: Reply,
  URL: ExternalLink,
  PHONE_NUMBER: Phone,
  COPY_CODE: Copy,
  OTP: Copy,
};

const headers: Readonly<Record<string, { icon: LucideIcon; word: string }>> = {
  IMAGE: { icon: Image, word: 'Picture' },
  VIDEO: { icon: Video, word: 'Video' },
  DOCUMENT: { icon: FileText, word: 'Document' },
  LOCATION: { icon: MapPin, word: 'Place' },
};

type TemplateBubbleProps = {
  template: TemplateParts;
  /** A variable without a value keeps its braces. */
  values: Readonly<Record<string, string>>;
  /** The file of the header, in place of its sign. */
  carried?: ReactNode;
  /** On the side of the reader's phone, or of ours. */
  side?: 'in' | 'out';
};

/** A template as a handset shows it. */
export function TemplateBubble({ template, values, carried, side = 'out' }: TemplateBubbleProps) {
  const { header, body, footer } = renderTemplate(template, values);
  const format = partOf(template, 'HEADER')?.format?.toUpperCase() ?? 'TEXT';
  const buttons = (partOf(template, 'BUTTONS')?.buttons ?? []).map(({ type, text }) => ({ type, text: text ?? '' }));
  return (
    <FilledBubble
      header={format === 'TEXT' ? header : null}
      body={body}
      footer={footer}
      buttons={buttons}
      carried={carried ?? <HeaderSign format={format} />}
      side={side}
    />
  );
}

type FilledBubbleProps = {
  header: string | null;
  body: string;
  footer: string | null;
  buttons: readonly { type: string; text: string }[];
  carried?: ReactNode;
  side?: 'in' | 'out';
};

/** The parts of a template with their variables filled. */
export function FilledBubble({ header, body, footer, buttons, carried, side = 'out' }: FilledBubbleProps) {
  const [openedAt] = useState(() => formatTime(new Date().toISOString()));
  return (
    <div className={clsx('grid w-full max-w-[88%] gap-0.5', side === 'out' ? 'self-end' : 'self-start')}>
      <div
        className={clsx(
          'rounded-[10px] px-2.5 pt-1.5 pb-2 whitespace-pre-wrap [unicode-bidi:plaintext] shadow-[0_1px_1px_oklch(0_0_0/0.09)] wrap-anywhere',
          side === 'out' ? 'rounded-tr-[2px] bg-chat-out' : 'rounded-tl-[2px] bg-chat-in',
        )}
      >
        {carried}
        {header !== null && header !== '' && <strong className="block">{header}</strong>}
        {body === '' ? <span className="text-chat-meta">The text of the template</span> : <Marked text={body} />}
        {footer !== null && footer !== '' && <span className="mt-1 block text-12 text-chat-meta">{footer}</span>}
        <span className="float-right mt-1.5 -mr-0.5 -mb-1 ml-3 text-[0.6875rem] leading-3.5 text-chat-meta tabular-nums">
          {openedAt}
        </span>
      </div>
      {buttons.length > 0 && (
        <ul aria-label="Buttons" className="grid gap-0.5">
          {buttons.map(({ type, text }, index) => (
            // Two buttons may have the same words.
            <TemplateButton key={index} type={type.toUpperCase()} side={side}>
              {text}
            </TemplateButton>
          ))}
        </ul>
      )}
    </div>
  );
}

const Marked = ({ text }: { text: string }) => <MarkedText parts={readMarks(text)} />;

function HeaderSign({ format }: { format: string }) {
  const header = headers[format];
  if (header === undefined) return null;
  const { icon: Icon, word } = header;
  return (
    <span className="mb-1.5 -ml-1 grid h-24 w-[calc(100%+0.5rem)] place-items-center rounded-[7px] bg-black/8 text-chat-meta">
      <span className="grid justify-items-center gap-1 text-12">
        <Icon aria-hidden="true" className="size-6" />
        {word}
      </span>
    </span>
  );
}

function TemplateButton({ type, side, children }: { type: string; side: 'in' | 'out'; children: string }) {
  const Icon = buttonIcons[type] ?? Reply;
  return (
    <li
      className={clsx(
        'flex min-h-9 items-center justify-center gap-2 rounded-[10px] px-3 py-1.5 text-13 font-medium shadow-[0_1px_1px_oklch(0_0_0/0.09)] wrap-anywhere',
        side === 'out' ? 'bg-chat-out' : 'bg-chat-in',
      )}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {children === '' ? <span className="text-chat-meta">Button</span> : <bdi>{children}</bdi>}
    </li>
  );
}
