import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useController, useWatch } from 'react-hook-form';
import type { Campaign } from '#contracts/campaigns.ts';
import type { Review } from '#contracts/reviews.ts';
import { callApi } from '#web/shared/api.ts';
import { carriedBody, useCarriedFile } from '#web/shared/attach/carried-file.ts';
import { CapChoice } from '#web/shared/caps/cap-choice.tsx';
import { CarriedFileField } from '#web/shared/attach/carried-file-field.tsx';
import { draftKeyOf } from '#web/shared/drafts/draft-key.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { SaveDeclined } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useFieldError, useZodForm } from '#web/shared/form/use-zod-form.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { isForFew } from '#web/shared/review/review-words.ts';
import { useReview } from '#web/shared/review/use-review.tsx';
import { useSession } from '#web/shared/session.ts';
import { TemplateField } from '#web/shared/template/template-field.tsx';
import { TopicChoice } from '#web/shared/topics/topic-choice.tsx';
import { ownTimeZone } from '#web/shared/time-zones.ts';
import { BoundTemplateFields } from '#web/shared/whatsapp-template/bound-template-fields.tsx';
import { asReviewed, contentOf, hasContent } from '#web/shared/whatsapp-template/bound-value.ts';
import { MessageKindChoice } from '#web/shared/whatsapp-template/message-kind-choice.tsx';
import { useBoundTemplate } from '#web/shared/whatsapp-template/use-bound-template.ts';
import { useBoundErrors } from '#web/shared/whatsapp-template/use-bound-errors.ts';
import { hasEnded } from '../campaign-state.ts';
import { audienceOf, bodyOf, campaignForm, changeOf, valuesOf } from './campaign-form.ts';
import { locksOf } from './campaign-locks.ts';
import { CampaignPreview } from './campaign-preview.tsx';
import { needsReview } from './needs-review.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { TargetFields } from './target-fields.tsx';
import { useSaveCampaign } from './use-save-campaign.ts';

type CampaignDialogProps = {
  campaign?: Campaign;
  /** A new one begins as this. */
  copyOf?: Campaign | undefined;
  /** The segment that a new one goes to. */
  toSegment?: number | undefined;
  onClose: () => void;
  /** Leaves, in its place, once a new campaign is on its way to the people that were reviewed. */
  onLaunched?: (campaignId: number, how?: { replace: boolean }) => void;
};

/** Makes a campaign, or changes the given one as far as it still can be. */
export function CampaignDialog({ campaign, copyOf, toSegment, onClose, onLaunched }: CampaignDialogProps) {
  const { user } = useSession();
  const timezone = user?.timezone ?? ownTimeZone();
  const locks = locksOf(campaign);
  const form = useZodForm(campaignForm({ timezone, now: Date.now, locks }), {
    ...valuesOf(campaign ?? copyOf, timezone),
    ...(toSegment !== undefined && { segment_id: toSegment }),
  });
  const save = useSaveCampaign(campaign, timezone);
  const [name, projectId, segmentId, expression, left, message] = useWatch({
    control: form.control,
    name: ['name', 'project_id', 'segment_id', 'expression', 'exclude_segment_ids', 'message'],
  });
  const { field } = useController({ control: form.control, name: 'media', rules: { deps: ['message'] } });
  const file = useCarriedFile({
    value: field.value,
    onChange: field.onChange,
    isOff: locks.message !== undefined,
  });
  const fileError = useFieldError(form, 'media.id');
  const kind = useController({ control: form.control, name: 'kind', rules: { deps: ['message', 'template'] } });
  const isTemplate = kind.field.value === 'template';
  const bound = useBoundTemplate({
    projectId,
    value: useWatch({ control: form.control, name: 'template' }),
    change: (next) =>
      form.setValue('template', next(form.getValues('template')), {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      }),
    isOff: locks.message !== undefined,
  });
  const boundErrors = useBoundErrors(form, 'template');
  const carrying = isTemplate ? bound.file : file;
  const topic = useController({ control: form.control, name: 'topic_id' });
  const caps = useController({ control: form.control, name: 'caps' });
  const topicError = useFieldError(form, 'topic_id');
  const isNew = campaign === undefined;
  const isOver = campaign !== undefined && hasEnded(campaign);
  usePageName(campaign?.name);
  const review = useReview();
  const launched = useRef<number>(undefined);
  const { data: projects } = useQuery(projectsQuery());

  const senderOf = (id: number | undefined) => projects?.find((project) => project.id === id);

  async function handleSubmit(values: Parameters<typeof save.mutateAsync>[0]['values']): Promise<void> {
    if (isNew || needsReview(campaign, changeOf(campaign, values, timezone))) {
      const { project_id, when, duration } = bodyOf(values, timezone);
      const { message: text, media, template } = contentOf(values);
      let reviewed: Review | undefined;
      const answer = await review.ask({
        title: values.name,
        verb: values.start === 'now' ? 'Send to' : 'Schedule for',
        sender: senderOf(project_id),
        ask: async () => {
          reviewed = await callApi('POST /api/campaigns/preview', {
            body: {
              ...audienceOf(values),
              project_id,
              when,
              duration,
              ...(values.topic_id !== null && { topic_id: values.topic_id }),
              ...(values.caps.when_capped === 'wait' && { when_capped: values.caps.when_capped }),
              message: text,
              ...(media !== null && { media: carriedBody(media) }),
              ...(template !== null && { template }),
            },
          });
          return reviewed;
        },
      });
      if (answer !== 'send') throw new SaveDeclined();
      const isReviewed = reviewed === undefined || !isForFew(reviewed);
      const isLaunch = isNew && values.start === 'now' && isReviewed;
      const open = isNew && !isLaunch ? onLaunched : undefined;
      const { id } = await save.mutateAsync({ values: asReviewed(values, reviewed), open });
      if (isLaunch) launched.current = id;
      return;
    }
    await save.mutateAsync({ values });
  }

  return (
    <FormDialog
      onClose={() =>
        launched.current === undefined || !onLaunched ? onClose() : onLaunched(launched.current, { replace: true })
      }
      size="page"
      draft={{
        kind: 'campaign',
        key: toSegment === undefined ? draftKeyOf({ edited: campaign, copied: copyOf }) : `to:${toSegment}`,
      }}
      title={isNew ? 'New Campaign' : 'Edit Campaign'}
      {...(isOver && { description: 'This campaign is over: only its name can be changed.' })}
      form={form}
      onSubmit={handleSubmit}
      question={review.question}
      canSubmit={
        name.trim() !== '' &&
        Boolean(projectId) &&
        Boolean(segmentId ?? expression) &&
        hasContent({ message, kind: kind.field.value, template: bound.value }, file.hasFile)
      }
      obstacle={carrying.obstacle}
      fileDrop={carrying.attach.drop}
      submitLabel={isNew ? 'Create Campaign' : 'Save Changes'}
      busyLabel={isNew ? 'Creating...' : 'Saving...'}
      failureText="Failed to save"
      aside={
        <CampaignPreview
          audience={
            segmentId || expression
              ? audienceOf({ segment_id: segmentId, expression, exclude_segment_ids: left })
              : undefined
          }
          message={message}
          carried={carrying.shown}
          bound={isTemplate ? bound : undefined}
          test={{ sender: senderOf(projectId), media: field.value }}
          isCounted={locks.target === undefined}
        />
      }
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        required
        autoComplete="off"
        maxLength={120}
        placeholder="Installed follow-up"
      />
      <TargetFields form={form} campaign={campaign} lock={locks.target} />
      <TopicChoice
        value={topic.field.value}
        onChange={topic.field.onChange}
        error={topicError}
        disabled={locks.message !== undefined}
      />
      <CapChoice value={caps.field.value} onChange={caps.field.onChange} disabled={locks.message !== undefined} />
      <MessageKindChoice
        projectId={projectId}
        value={kind.field.value}
        onChange={kind.field.onChange}
        disabled={locks.message !== undefined}
      />
      {isTemplate ? (
        <BoundTemplateFields form={bound} errorOf={boundErrors} hint={locks.message?.reason} spelling="short" />
      ) : (
        <CarriedFileField file={file} error={fileError}>
          <TemplateField
            form={form}
            name="message"
            label="Message"
            placeholder="Hi {name}, thanks for installing."
            hint={
              locks.message ? locks.message.reason : 'Supports placeholders like {name}, {shop} similar to Bulk Send.'
            }
            disabled={locks.message !== undefined}
            maxLength={file.maxLength}
          />
        </CarriedFileField>
      )}
      <ScheduleFields form={form} locks={locks} timezone={timezone} />
    </FormDialog>
  );
}
