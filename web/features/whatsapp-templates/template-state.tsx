import { clsx } from 'clsx';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { qualityWords, templateStatusWords } from '#web/shared/whatsapp-template/template-words.ts';

export function TemplateBadge({ status }: Pick<WhatsappTemplate, 'status'>) {
  const { word, color } = templateStatusWords[status];
  return (
    <Badge color={color} isLive={status === 'pending'}>
      {word}
    </Badge>
  );
}

const bars = {
  high: { count: 3, look: 'bg-green-dot' },
  medium: { count: 2, look: 'bg-yellow-dot' },
  low: { count: 1, look: 'bg-red-dot' },
  unknown: { count: 0, look: '' },
} as const;

/** Three bars and a word. */
export function Quality({ quality }: Pick<WhatsappTemplate, 'quality'>) {
  const { count, look } = bars[quality];
  return (
    <span className={clsx('inline-flex items-end gap-2 whitespace-nowrap', quality === 'unknown' && 'text-muted')}>
      <span aria-hidden="true" className="mb-1 flex items-end gap-0.5">
        {[1, 2, 3].map((bar) => (
          <i
            key={bar}
            style={{ height: `${bar * 3 + 1}px` }}
            className={clsx('w-1 rounded-[1px]', bar <= count ? look : 'bg-line-strong')}
          />
        ))}
      </span>
      {qualityWords[quality]}
    </span>
  );
}

/** Advice on Meta's reason; undefined where it says all there is. */
export function adviceFor({ status, reason }: Pick<WhatsappTemplate, 'status' | 'reason'>): string | undefined {
  if (status === 'paused')
    return 'Too many people blocked or reported it. The first pause takes 3 hours, the second 6, a third disables it. Afterwards it can be sent again by itself.';
  if (status === 'disabled')
    return 'It was paused too often and cannot be sent again. Duplicate it under another name, with another text.';
  if (status !== 'rejected') return undefined;
  return (
    rejections.find(({ word }) => reason?.toLowerCase().includes(word))?.advice ??
    (reason ? usualAdvice : adviceWithoutReason)
  );
}

const adviceWithoutReason = 'WhatsApp named no reason. Look at the rules for templates, change it and submit it again.';
const usualAdvice = 'Change what the reason names and submit it again.';

/** Source: developers.facebook.com, 'Common rejection reasons' of templates. */
const rejections = [
  {
    word: 'format',
    advice:
      'Variables stand side by side, at the beginning or at the end, their examples do not fit, or something is misspelt. Mend it and submit again.',
  },
  {
    word: 'tag',
    advice:
      'The language or the category does not fit the text. Choose the one it is written in, or the one it is about.',
  },
  {
    word: 'categor',
    advice: 'The category does not fit the text: offers and news are marketing, news of an order is utility.',
  },
  { word: 'promot', advice: 'It advertises. Submit it again as marketing.' },
  {
    word: 'abus',
    advice: 'It reads as a threat, or asks for something personal. Write it otherwise and submit it again.',
  },
  { word: 'scam', advice: 'It reads as a deception: name the business, and use addresses of its own domain.' },
  {
    word: 'polic',
    advice: "It breaks WhatsApp's policy for business messages. Compare the text with it and submit again.",
  },
] as const;
