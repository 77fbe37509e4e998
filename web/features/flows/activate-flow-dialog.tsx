import { useQuery } from '@tanstack/react-query';
import type { Flow } from '#contracts/flows.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { carriedBody } from '#web/shared/attach/carried-file.ts';
import { MessageCard } from '#web/shared/message/message-card.tsx';
import { projectsQuery } from '#web/shared/queries.ts';
import { ReviewPanel } from '#web/shared/review/review-panel.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { boundBody, boundValueOf } from '#web/shared/whatsapp-template/bound-value.ts';
import { flowFields, ownAudience, typedAudience } from './builder/flow-form.ts';
import { audienceCountQuery } from './flow-queries.ts';
import { useSetActive } from './use-set-active.ts';

/** Switches a flow on: says how many match already, and asks whether they are meant. */
export function ActivateFlowDialog({ flow, onClose }: { flow: Flow; onClose: () => void }) {
  const typed = typedAudience(flowFields(flow));
  const people = ownAudience(flowFields(flow).expression, flow) ?? typed;
  const audience = people && { ...people, exclude_segment_ids: flow.exclude_segment_ids };
  const { data, error } = useQuery({ ...audienceCountQuery(audience), enabled: audience !== undefined });
  const activate = useSetActive();
  const isCounting = data === undefined && error === null;
  const isAsked = data?.count !== 0 && !isCounting;

  const start = (isCurrentSkipped: boolean) =>
    activate.mutate({ id: flow.id, active: true, isCurrentSkipped }, { onSuccess: onClose });

  return (
    <Dialog
      role="alertdialog"
      isOpen
      size="large"
      onClose={() => !activate.isPending && onClose()}
      title={`Activate “${flow.name}”?`}
      description={error === null ? currentText(data?.count) : errorText(error, 'Failed to fetch preview count')}
    >
      <DialogBody>
        <FlowReview flow={flow} />
        {typeof data?.warning === 'string' && (
          <Notice color="yellow" title="Check the conditions">
            {data.warning}
          </Notice>
        )}
      </DialogBody>
      <DialogFooter>
        <Button data-autofocus disabled={activate.isPending} onClick={onClose}>
          Cancel
        </Button>
        {isAsked && (
          <Button busy={busyLabel(activate, true)} disabled={activate.isPending} onClick={() => start(true)}>
            Only new matches
          </Button>
        )}
        <Button
          variant="primary"
          busy={busyLabel(activate, false)}
          disabled={activate.isPending || isCounting}
          onClick={() => start(false)}
        >
          {isAsked ? 'Send to them too' : 'Activate'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** The review of a flow for the profiles that match now. */
function FlowReview({ flow }: { flow: Flow }) {
  const typed = typedAudience(flowFields(flow));
  const people = ownAudience(flowFields(flow).expression, flow) ?? typed;
  const audience = people && { ...people, exclude_segment_ids: flow.exclude_segment_ids };
  const { projectId, message, media } = flow.action;
  const template = boundValueOf(flow.action.template);
  const content = template === null ? { message } : { template: boundBody(template) };
  const carried = media !== null && { media: carriedBody(media) };
  const { data: projects } = useQuery(projectsQuery());
  const { data: review } = useQuery({
    queryKey: ['flow-review', flow.id, flow.updated_at],
    queryFn: ({ signal }) =>
      callApi(
        'POST /api/flows/preview',
        {
          body: {
            ...audience,
            ...content,
            ...carried,
            project_id: projectId,
            ...(flow.topic_id !== null && { topic_id: flow.topic_id }),
            ...(flow.when_capped === 'wait' && { when_capped: flow.when_capped }),
          },
        },
        { signal },
      ),
    enabled: audience !== undefined,
    retry: false,
  });
  const sender = projects?.find(({ id }) => id === projectId);
  if (review === undefined) return null;
  return (
    <>
      <ReviewPanel review={review} sender={sender} />
      {review.samples.length === 0 && (
        <MessageCard text={message} media={media} template={flow.action.template} at={flow.updated_at} />
      )}
    </>
  );
}

/** The busy one of the two buttons is the one that was pressed. */
function busyLabel({ isPending, variables }: ReturnType<typeof useSetActive>, isCurrentSkipped: boolean) {
  return isPending && variables.isCurrentSkipped === isCurrentSkipped && 'Activating...';
}

function currentText(count: number | undefined): string {
  if (count === undefined) return 'Counting who matches already...';
  if (count === 0) return 'No profile matches now. Whoever begins to match gets the message.';
  const who = count === 1 ? '1 profile matches' : `${count.toLocaleString('en')} profiles match`;
  return `${who} already. Is the message meant for ${count === 1 ? 'it' : 'them'} too, or only for who begins to match from now on?`;
}
