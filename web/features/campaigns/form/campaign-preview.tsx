import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { Review } from '#contracts/reviews.ts';
import { fillTemplate } from '#contracts/template.ts';
import type { Sender } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import type { CarriedFile } from '#web/shared/attach/carried-file.ts';
import { CarriedPreview } from '#web/shared/attach/carried-preview.tsx';
import { SendTest } from '#web/shared/review/send-test.tsx';
import { MessagePreview } from '#web/shared/template/message-preview.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import type { BoundTemplateForm } from '#web/shared/whatsapp-template/use-bound-template.ts';
import { BoundPreview } from '#web/shared/whatsapp-template/bound-preview.tsx';
import { isWhole, boundBody } from '#web/shared/whatsapp-template/bound-value.ts';
import { sampleSend } from '#web/shared/whatsapp-template/sample-send.ts';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { useDebounced } from '#web/shared/use-debounced.ts';
import { previewQuery, type CampaignAudience } from '../campaign-queries.ts';
import { showLinks, withPlainLinks } from '#web/shared/template/show-links.ts';
import { Audience } from './audience.tsx';

const pauseMs = 400;
const failureText = 'Failed to preview the campaign';

type Sample = Review['samples'][number];

type CampaignPreviewProps = {
  /** Undefined while none is chosen. */
  audience: CampaignAudience | undefined;
  message: string;
  /** Its file, stored or on its way. */
  carried: CarriedFile['shown'];
  /** The template that stands in place of the text. */
  bound: BoundTemplateForm | undefined;
  /** Of the project that is chosen, and the file that is stored: for a test. */
  test: { sender: Sender | undefined; media: Review['media'] };
  /** Whether to say who will get it: before the first message. */
  isCounted: boolean;
};

/** The message as members of the segment will read it, and how many of them there are. */
export function CampaignPreview({ audience, message, carried, bound, test, isCounted }: CampaignPreviewProps) {
  const content = useDebounced(bound ? templateContent(bound) : { message }, pauseMs);
  const { data, error } = useQuery({ ...previewQuery(audience ?? {}, content), enabled: audience !== undefined });
  const [wanted, setWanted] = useState(0);
  const samples = audience === undefined ? [] : (data?.samples ?? []);
  const index = Math.min(wanted, Math.max(0, samples.length - 1));
  const sample = samples[index];
  return (
    <div className="grid gap-5 px-5 py-5">
      <MessagePreview
        title="Message Preview"
        text={sample?.message ?? forJohn(message)}
        carried={carried && <CarriedPreview shown={carried} />}
        bubble={bound && <BoundPreview form={bound} fill={forJohn} sample={sample} />}
        aside={
          sample !== undefined && (
            <Stepper sample={sample} place={{ index, count: samples.length }} onStep={setWanted} />
          )
        }
      >
        {isCounted && audience !== undefined && (
          <div className="border-t px-4 py-3 text-13" role="status">
            {error === null ? (
              <Audience preview={data} />
            ) : (
              <p className="text-red-ink">{errorText(error, failureText)}</p>
            )}
          </div>
        )}
      </MessagePreview>
      <SendTest
        sender={test.sender}
        media={bound ? null : test.media}
        message={bound ? '' : withPlainLinks(sample?.message ?? forJohn(message), message)}
        template={bound && sampleSend(bound, forJohn, sample)}
      />
    </div>
  );
}

/** The people are counted for a template that is not whole yet as for an empty text. */
const templateContent = ({ value, projectId }: BoundTemplateForm) =>
  value !== null && projectId !== undefined && isWhole(value)
    ? { project_id: projectId, template: boundBody(value) }
    : { message: '' };

/** Before there is anybody to fill it for. */
function forJohn(message: string): string {
  return fillTemplate(showLinks(message), (path) => (path === 'name' ? 'John' : undefined));
}

type StepperProps = { sample: Sample; place: { index: number; count: number }; onStep: (index: number) => void };

/** Names the recipient of the sample; the buttons cycle through the samples. */
function Stepper({ sample: { name, phone }, place: { index, count }, onStep }: StepperProps) {
  const stepTo = (next: number) => () => onStep((next + count) % count);
  return (
    <div className="flex min-w-0 items-center gap-1 text-muted">
      <span className="min-w-0 truncate" aria-live="polite">
        {name === null ? <PhoneText digits={phone} /> : <bdi>{name}</bdi>}
      </span>
      {count > 1 && (
        <>
          <IconButton
            size="small"
            label="Previous sample"
            icon={<ChevronLeft aria-hidden="true" className="size-4" />}
            onClick={stepTo(index - 1)}
          />
          <span className="tabular-nums">
            {index + 1} of {count}
          </span>
          <IconButton
            size="small"
            label="Next sample"
            icon={<ChevronRight aria-hidden="true" className="size-4" />}
            onClick={stepTo(index + 1)}
          />
        </>
      )}
    </div>
  );
}
