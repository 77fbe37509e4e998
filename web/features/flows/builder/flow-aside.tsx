import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import { MessagePreview } from '#web/shared/template/message-preview.tsx';
import { flowSentence } from '../flow-sentence.ts';
import { AudienceCount } from './audience-count.tsx';
import type { FlowForm } from './flow-form.ts';
import { sampleText } from './sample-text.ts';

/** What the typed flow comes to: its message, whom it reaches, and all of it in one sentence. */
export function FlowAside({ form }: { form: FlowForm }) {
  const message = useWatch({ control: form.control, name: 'action.message' });
  return (
    <div className="grid gap-5 px-5 py-5 sm:px-6 lg:px-5">
      <MessagePreview title="Message Preview" text={sampleText(message)} />
      <AudienceCount form={form} />
      <InWords form={form} />
    </div>
  );
}

function InWords({ form }: { form: FlowForm }) {
  const titleId = useId();
  const [conditions, duration, frequency, isActive] = useWatch({
    control: form.control,
    name: ['conditions', 'duration', 'frequency', 'active'],
  });
  return (
    <section aria-labelledby={titleId} className="grid gap-1.5 text-13">
      <h3 id={titleId}>In words</h3>
      <p className="text-pretty wrap-anywhere">{flowSentence({ conditions, duration, frequency })}</p>
      <p className="text-pretty text-muted">
        {isActive
          ? 'Once saved, it runs by itself, beginning with those who match now.'
          : 'Inactive, it sends only when you run it.'}
      </p>
    </section>
  );
}
