import { clsx } from 'clsx';
import { useState } from 'react';

const previewLength = 60;

/** The whole text when it is short, else its first 60 characters with a way to the rest. */
export function WebhookError({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const characters = Array.from(text);
  const isLong = characters.length > previewLength;
  return (
    <span className={clsx('block text-13 wrap-anywhere', isLong ? 'min-w-56 text-pretty' : 'min-w-max')}>
      {isLong && !isWhole ? `${characters.slice(0, previewLength).join('')}...` : text}{' '}
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="rounded-small font-medium whitespace-nowrap text-accent-ink hover:underline"
        >
          {isWhole ? 'View less' : 'View more'}
        </button>
      )}
    </span>
  );
}
