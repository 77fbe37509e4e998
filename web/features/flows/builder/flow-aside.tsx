import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import type { Sender } from '#web/shared/api.ts';
import type { CarriedFile } from '#web/shared/attach/carried-file.ts';
import { CarriedPreview } from '#web/shared/attach/carried-preview.tsx';
import { useFieldNames } from '#web/shared/conditions/use-field-names.ts';
import { Checkbox } from '#web/shared/form/checkbox.tsx';
import { SendTest } from '#web/shared/review/send-test.tsx';
import { MessagePreview } from '#web/shared/template/message-preview.tsx';
import { withPlainLinks } from '#web/shared/template/show-links.ts';
import { BoundPreview } from '#web/shared/whatsapp-template/bound-preview.tsx';
import { sampleSend } from '#web/shared/whatsapp-template/sample-send.ts';
import type { BoundTemplateForm } from '#web/shared/whatsapp-template/use-bound-template.ts';
import { flowSentence } from '../flow-sentence.ts';
import { AudienceCount } from './audience-count.tsx';
import type { FlowForm, ownAudience } from './flow-form.ts';
import { sampleText } from './sample-text.ts';

type FlowAsideProps = {
  form: FlowForm;
  /** The file that its message carries, stored or on its way. */
  carried: CarriedFile['shown'];
  /** The template that stands in place of the text. */
  bound: BoundTemplateForm | undefined;
  /** Of the project that is chosen, for a test. */
  sender: Sender | undefined;
  /** Saving it as active switches it on. */
  isSwitchable: boolean;
  /** Of a flow whose audience is not edited here. */
  own: ReturnType<typeof ownAudience>;
};

/** The summary of the typed flow: its message, its audience, and all of it in a sentence. */
export function FlowAside({ form, carried, bound, sender, isSwitchable, own }: FlowAsideProps) {
  const [message, isActive] = useWatch({ control: form.control, name: ['action.message', 'active'] });
  const media = useWatch({ control: form.control, name: 'action.media' });
  return (
    <div className="grid gap-5 px-5 py-5 sm:px-6 lg:px-5">
      <MessagePreview
        title="Message Preview"
        text={sampleText(message)}
        carried={carried && <CarriedPreview shown={carried} />}
        bubble={bound && <BoundPreview form={bound} fill={sampleText} />}
      />
      <SendTest
        sender={sender}
        media={bound ? null : media}
        message={bound ? '' : withPlainLinks(sampleText(message), message)}
        template={bound && sampleSend(bound, sampleText)}
        hint="As the preview shows it, to your own number."
      />
      <AudienceCount form={form} own={own} />
      {isSwitchable && isActive && (
        <Checkbox
          form={form}
          name="skip_current"
          label="Leave out who matches already"
          hint="Only profiles that begin to match later get the message."
        />
      )}
      {own === undefined && <InWords form={form} />}
    </div>
  );
}

function InWords({ form }: { form: FlowForm }) {
  const titleId = useId();
  const [conditions, duration, frequency, isActive, isCurrentSkipped] = useWatch({
    control: form.control,
    name: ['conditions', 'duration', 'frequency', 'active', 'skip_current'],
  });
  const nameOf = useFieldNames([...conditions.map(({ fieldPath }) => fieldPath), duration.dateFieldPath]);
  return (
    <section aria-labelledby={titleId} className="grid gap-1.5 text-13">
      <h3 id={titleId}>In words</h3>
      <p className="text-pretty wrap-anywhere">{flowSentence({ conditions, duration, frequency }, nameOf)}</p>
      <p className="text-pretty text-muted">{startText(isActive, isCurrentSkipped)}</p>
    </section>
  );
}

function startText(isActive: boolean, isCurrentSkipped: boolean): string {
  if (!isActive) return 'Inactive, it sends only when you run it.';
  return isCurrentSkipped
    ? 'Once saved, it runs by itself, for those who begin to match from then on.'
    : 'Once saved, it runs by itself, beginning with those who match now.';
}
