import { clsx } from 'clsx';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Picture } from '#web/shared/message/media/tiles.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Chat } from '#web/shared/ui/chat-bubble.tsx';
import { TemplateBubble } from '#web/shared/whatsapp-template/template-bubble.tsx';
import { partsOf, type TemplateDraft } from './draft.ts';
import { checksOf, type Check } from './draft-faults.ts';

type PreviewPaneProps = { draft: TemplateDraft; isReadOnly: boolean };

/** The template as its reader sees it, and what the reviewer looks at. */
export function PreviewPane({ draft, isReadOnly }: PreviewPaneProps) {
  const [isFilled, setFilled] = useState(true);
  const values = Object.fromEntries(Object.entries(draft.examples).filter(([, example]) => example.trim() !== ''));
  return (
    <aside
      aria-label="Preview"
      className="grid min-w-0 content-start gap-4 sm:gap-6 lg:sticky lg:top-[calc(var(--header)+1.5rem)]"
    >
      <Card
        flush
        title="Preview"
        className="overflow-clip"
        actions={
          <div role="group" aria-label="Shown with" className="flex gap-1 rounded-base bg-sunken p-1">
            {(['Examples', 'Variables'] as const).map((label) => (
              <button
                key={label}
                type="button"
                aria-pressed={isFilled === (label === 'Examples')}
                onClick={() => setFilled(label === 'Examples')}
                className="h-7 rounded-small px-2.5 text-13 text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-control"
              >
                {label}
              </button>
            ))}
          </div>
        }
      >
        <Chat className="min-h-40">
          <TemplateBubble
            side="in"
            template={shown(draft)}
            values={isFilled ? values : {}}
            carried={pictureOf(draft)}
          />
        </Chat>
      </Card>
      {!isReadOnly && (
        <Card title="Before you submit">
          <ul className="grid gap-2.5">
            {checksOf(draft).map((check) => (
              <CheckLine key={check.text} check={check} />
            ))}
          </ul>
          <p className="mt-4 border-t pt-3 text-13 text-pretty text-muted">
            A review takes minutes, at most a day. A change is reviewed again; an approved template changes once a day,
            ten times in 30 days.
          </p>
        </Card>
      )}
    </aside>
  );
}

/** The picture that was uploaded for the review; undefined for other files, which have a sign. */
function pictureOf({ header, headerFile }: TemplateDraft) {
  if (header !== 'image' || headerFile === null || !('id' in headerFile)) return undefined;
  return <Picture mediaId={headerFile.id} alt={headerFile.name} />;
}

/** WhatsApp's own words of a code, as they read in English. */
function shown(draft: TemplateDraft) {
  const parts = partsOf(draft);
  if (draft.category !== 'authentication') return parts;
  const warning = draft.hasWarning ? ' For your security, do not share this code.' : '';
  const text = `*123456* is your verification code.${warning}`;
  const footer = draft.minutes.trim() === '' ? [] : [`This code expires in ${draft.minutes} minutes.`];
  return {
    ...parts,
    components: [
      { type: 'BODY', text },
      ...footer.map((each) => ({ type: 'FOOTER', text: each })),
      { type: 'BUTTONS', buttons: [{ type: 'OTP', text: 'Copy code' }] },
    ],
  };
}

const looks = {
  ok: { icon: CircleCheck, ink: 'text-green-ink', word: 'Right' },
  wrong: { icon: CircleX, ink: 'text-red-ink', word: 'To mend' },
  doubtful: { icon: TriangleAlert, ink: 'text-yellow-ink', word: 'Doubtful' },
} as const;

function CheckLine({ check: { state, text, hint } }: { check: Check }) {
  const { icon: Icon, ink, word } = looks[state];
  return (
    <li className="flex gap-2.5">
      <Icon role="img" aria-label={word} className={clsx('mt-0.5 size-4 shrink-0', ink)} />
      <span>
        {text}
        {hint !== undefined && <span className="block text-13 text-muted">{hint}</span>}
      </span>
    </li>
  );
}
