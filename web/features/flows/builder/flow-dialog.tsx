import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useController, useFormState, useWatch } from 'react-hook-form';
import type { Flow } from '#contracts/flows.ts';
import type { Project } from '#contracts/projects.ts';
import type { Review } from '#contracts/reviews.ts';
import { callApi } from '#web/shared/api.ts';
import { ApiError } from '#web/shared/api-error.ts';
import { carriedBody, useCarriedFile } from '#web/shared/attach/carried-file.ts';
import { CapChoice } from '#web/shared/caps/cap-choice.tsx';
import { CarriedFileField } from '#web/shared/attach/carried-file-field.tsx';
import { useUnknownFields, type UnknownAllowed } from '#web/shared/conditions/use-unknown-fields.tsx';
import { firstMessage, PeopleButton, PeopleField } from '#web/shared/builder/people-field.tsx';
import { draftKeyOf } from '#web/shared/drafts/draft-key.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { SaveDeclined } from '#web/shared/form/submit-form.ts';
import { Switch } from '#web/shared/form/switch.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useFieldError, useZodForm } from '#web/shared/form/use-zod-form.ts';
import { LeftOutSegments } from '#web/shared/pick/left-out-segments.tsx';
import { usePageName } from '#web/shared/page-name.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useReview } from '#web/shared/review/use-review.tsx';
import type { ReviewAnswer } from '#web/shared/review/review-dialog.tsx';
import { TemplateField } from '#web/shared/template/template-field.tsx';
import { TopicChoice } from '#web/shared/topics/topic-choice.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { BoundTemplateFields } from '#web/shared/whatsapp-template/bound-template-fields.tsx';
import { asReviewed, contentOf } from '#web/shared/whatsapp-template/bound-value.ts';
import { MessageKindChoice } from '#web/shared/whatsapp-template/message-kind-choice.tsx';
import { useBoundErrors } from '#web/shared/whatsapp-template/use-bound-errors.ts';
import { useBoundTemplate } from '#web/shared/whatsapp-template/use-bound-template.ts';
import { lastErrorText } from '../last-error.ts';
import { ConditionRows } from './condition-rows.tsx';
import { FlowAside } from './flow-aside.tsx';
import {
  anything,
  bodyOf,
  changeOf,
  FlowFields,
  copyFields,
  flowFields,
  ownAudience,
  missingText,
  newFlowFields,
  usualCondition,
  type FlowBody,
  type FlowValues,
} from './flow-form.ts';
import { ProjectField } from './project-field.tsx';
import { TimingFields } from './timing-fields.tsx';

type FlowDialogProps = {
  flow?: Flow;
  /** The flow that a new one copies. */
  copyOf?: Flow;
  /** Undefined where they could not be fetched. */
  projects: readonly Project[] | undefined;
  onClose: () => void;
};

/** Makes a flow, or changes the given one. */
export function FlowDialog({ flow, copyOf, projects, onClose }: FlowDialogProps) {
  const queryClient = useQueryClient();
  const form = useZodForm(
    FlowFields,
    flow ? flowFields(flow) : copyOf ? copyFields(copyOf) : newFlowFields(onlyConnected(projects ?? [])),
  );
  const { field } = useController({
    control: form.control,
    name: 'action.media',
    rules: { deps: ['action.message'] },
  });
  const file = useCarriedFile({ value: field.value, onChange: field.onChange, isOff: false });
  const fileError = useFieldError(form, 'action.media.id');
  const chosenId = useWatch({ control: form.control, name: 'action.projectId' });
  const kind = useController({
    control: form.control,
    name: 'action.kind',
    rules: { deps: ['action.message', 'action.template'] },
  });
  const isTemplate = kind.field.value === 'template';
  const bound = useBoundTemplate({
    projectId: chosenId,
    value: useWatch({ control: form.control, name: 'action.template' }),
    change: (next) =>
      form.setValue('action.template', next(form.getValues('action.template')), {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      }),
    isOff: false,
  });
  const boundErrors = useBoundErrors(form, 'action.template');
  const carrying = isTemplate ? bound.file : file;
  const leftOut = useController({ control: form.control, name: 'exclude_segment_ids' });
  const leftError = useFieldError(form, 'exclude_segment_ids');
  const topic = useController({ control: form.control, name: 'topic_id' });
  const caps = useController({ control: form.control, name: 'caps' });
  const topicError = useFieldError(form, 'topic_id');
  const expression = useWatch({ control: form.control, name: 'expression' });
  const own = ownAudience(expression, flow ?? copyOf);
  const { errors, dirtyFields } = useFormState({ control: form.control });
  usePageName(flow?.name);
  const isSwitchable = flow?.active !== true;
  const lastError = flow && lastErrorText(flow);
  const save = useMutation({
    mutationFn: (body: FlowBody & UnknownAllowed) =>
      flow === undefined
        ? callApi('POST /api/flows', { body }).catch(throwInNamesOfForm)
        : callApi('PUT /api/flows/{flowId}', { params: { flowId: flow.id }, body: changeOf(body, dirtyFields) }).catch(
            throwInNamesOfForm,
          ),
    onSuccess: () => {
      notify.success(flow === undefined ? 'Flow created' : 'Flow updated');
      return queryClient.invalidateQueries({ queryKey: queryKeys.flows });
    },
  });

  const senderOf = (id: number | undefined) => projects?.find((project) => project.id === id);
  const unknownFields = useUnknownFields();
  const review = useReview();

  /** A flow is reviewed before it is switched on, however few match now; it may be kept for later, too. */
  async function handleSubmit(values: FlowValues): Promise<void> {
    const begins = isSwitchable && values.active;
    const { answer, reviewed } = begins ? await askReview(values) : { answer: 'send' };
    if (answer === 'back') throw new SaveDeclined();
    const action = asReviewed(values.action, reviewed);
    const body = bodyOf({ ...values, action }, { isSwitchable, before: flow, copyOf });
    const meant = answer === 'instead' ? { ...body, active: false } : body;
    await unknownFields.save((allowed) => save.mutateAsync({ ...meant, ...allowed }));
  }

  async function askReview(values: FlowValues): Promise<{ answer: ReviewAnswer; reviewed?: Review | undefined }> {
    const { name, conditions, duration, action, exclude_segment_ids: left, topic_id: topicId } = values;
    const { when_capped: whenCapped } = values.caps;
    const { projectId } = action;
    const { message, media, template } = contentOf(action);
    let reviewed: Review | undefined;
    const answer = await review.ask({
      title: name,
      verb: 'Activate for',
      isAlways: true,
      instead: flow === undefined ? 'Create inactive' : 'Save inactive',
      sender: senderOf(projectId),
      async ask() {
        reviewed = await callApi('POST /api/flows/preview', {
          body: {
            ...(own ?? { conditions, duration }),
            exclude_segment_ids: left,
            ...(topicId !== null && { topic_id: topicId }),
            ...(whenCapped === 'wait' && { when_capped: whenCapped }),
            message,
            ...(media !== null && { media: carriedBody(media) }),
            ...(template !== null && { template }),
            project_id: projectId,
          },
        }).catch(refuseAction);
        return reviewed;
      },
    });
    return { answer, reviewed };
  }

  function putPeople(next: Flow['expression']): void {
    form.clearErrors(['conditions', 'expression']);
    form.setValue('conditions', [next ? anything : usualCondition], { shouldDirty: true });
    form.setValue('expression', next && JSON.stringify(next), { shouldDirty: true });
  }

  function handleRefused(): void {
    const missing = missingText(form.getValues());
    if (missing !== undefined) notify.error(missing);
  }

  return (
    <FormDialog
      onClose={onClose}
      size="page"
      draft={{ kind: 'flow', key: draftKeyOf({ edited: flow, copied: copyOf }) }}
      title={flow === undefined ? 'Create Flow' : 'Edit Flow'}
      form={form}
      onSubmit={handleSubmit}
      onRefused={handleRefused}
      obstacle={carrying.obstacle}
      fileDrop={carrying.attach.drop}
      submitLabel={flow === undefined ? 'Create Flow' : 'Save Changes'}
      busyLabel={flow === undefined ? 'Creating...' : 'Saving...'}
      failureText={flow === undefined ? 'Failed to create flow' : 'Failed to save flow'}
      question={unknownFields.question ?? review.question}
      aside={
        <FlowAside
          form={form}
          carried={carrying.shown}
          bound={isTemplate ? bound : undefined}
          sender={senderOf(chosenId)}
          isSwitchable={isSwitchable}
          own={own}
        />
      }
      footerStart={<Switch form={form} name="active" label="Active" />}
    >
      {lastError !== undefined && (
        <Notice color="red" title="The last search did not end">
          {lastError}
        </Notice>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          form={form}
          name="name"
          label="Name"
          required
          autoComplete="off"
          maxLength={120}
          placeholder="Trial ending soon"
        />
        <ProjectField form={form} projects={projects} />
      </div>
      {own ? (
        <PeopleField
          label="Who gets it"
          value={own.expression}
          onChange={putPeople}
          error={firstMessage(errors.expression)}
          insteadLabel="Choose conditions instead"
        />
      ) : (
        <div className="grid min-w-0 gap-2">
          <ConditionRows form={form} />
          <span>
            <PeopleButton value={null} onChange={putPeople} label="People who…" />
          </span>
        </div>
      )}
      <LeftOutSegments field={leftOut.field} error={leftError} />
      <TopicChoice value={topic.field.value} onChange={topic.field.onChange} error={topicError} />
      <CapChoice value={caps.field.value} onChange={caps.field.onChange} />
      <TimingFields form={form} hasDuration={own === undefined} />
      <MessageKindChoice projectId={chosenId} value={kind.field.value} onChange={kind.field.onChange} />
      {isTemplate ? (
        <BoundTemplateFields form={bound} errorOf={boundErrors} spelling="full" />
      ) : (
        <CarriedFileField file={file} error={fileError}>
          <TemplateField
            form={form}
            name="action.message"
            label="Message Template"
            hint="Use {email}, {phone}, {custom_fields.name} etc. for dynamic values"
            placeholder="Hi {name}, the trial for {custom_fields.shop} ends soon."
            spelling="full"
            maxLength={file.maxLength}
          />
        </CarriedFileField>
      )}
    </FormDialog>
  );
}

/** Where there is no choice, it is made. */
function onlyConnected(projects: readonly Project[]): number | undefined {
  const connected = projects.filter((project) => project.is_connected);
  return connected.length === 1 ? connected[0]?.id : undefined;
}

const contentPath = /^(template|media|message)\b/;

/** The preview names the parts of the message without the action that holds them in the form. */
function refuseAction(error: unknown): never {
  if (!(error instanceof ApiError) || error.fieldErrors.length === 0) throw error;
  const errors = error.fieldErrors.map(({ path, message }) => ({
    path: contentPath.test(path) ? `action.${path}` : path,
    message,
  }));
  throw new ApiError(error.status, { code: error.code, message: error.message, errors });
}

/** The form has one field each for the unit and the number of a duration, whose name is the unit on the wire. */
function throwInNamesOfForm(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'invalid_input') throw error;
  const errors = error.fieldErrors.map(({ path, message }) => ({
    path: path
      .replace(/^duration\.type$/, 'duration.unit')
      .replace(/^duration\.(minutes|hours|days)$/, 'duration.amount'),
    message,
  }));
  throw new ApiError(error.status, { code: error.code, message: error.message, errors });
}
