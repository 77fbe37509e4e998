import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Review } from '#contracts/reviews.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import type { Sender } from '../api.ts';
import { ReviewPanel } from './review-panel.tsx';
import { isForNobody, receiversText } from './review-words.ts';

export type ReviewAnswer = 'send' | 'instead' | 'back';

export type ReviewAsked = {
  /** The title of the message: 'Winter stock' */
  title: string;
  ask: () => Promise<Review>;
  /** How many it goes to at the most, where that is known before. */
  count?: number;
  /** Shown however few it goes to. */
  isAlways?: boolean;
  /** Of the project that sends: without it no test can be sent. */
  sender?: Sender | undefined;
  /** The action of the button: 'Activate for' */
  verb?: string;
  /** Something else that may be meant: 'Create inactive' */
  instead?: string;
};

type ReviewDialogProps = Omit<ReviewAsked, 'count' | 'isAlways'> & { isAlways?: boolean } & {
  /** Undefined where it could not be had. */
  first: Review | undefined;
  answer: (answer: ReviewAnswer) => void;
};

/** Shows what would come of a message before it goes; the button that sends says to how many. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, ask, first, sender, verb = 'Send to', instead, isAlways, answer } = props;
  const key = useId();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['review', key],
    queryFn: ask,
    initialData: first,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <Dialog
      isOpen
      size="page"
      onClose={() => answer('back')}
      title={`Review “${title}”`}
      description="Nothing has been sent yet."
    >
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-5 sm:px-6">
        {data !== undefined && <ReviewPanel review={data} sender={sender} />}
        {data === undefined && error === null && <LoadingReview />}
        {data === undefined && error !== null && (
          <Notice
            color="yellow"
            title="It could not be foreseen what comes of it"
            live
            action={
              <Button size="small" busy={isFetching && 'Trying...'} onClick={() => void refetch()}>
                Try again
              </Button>
            }
          >
            {errorText(error, 'Try again in a moment.')}
          </Notice>
        )}
      </div>
      <DialogFooter>
        <Button data-autofocus onClick={() => answer('back')}>
          Back
        </Button>
        {instead !== undefined && <Button onClick={() => answer('instead')}>{instead}</Button>}
        <Button
          variant="primary"
          disabled={(data === undefined && error === null) || (isForNobody(data) && isAlways !== true)}
          onClick={() => answer('send')}
        >
          {sendLabel(verb, data)}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function sendLabel(verb: string, review: Review | undefined): string {
  const isUnknown = review === undefined || (review.will_receive === 0 && !isForNobody(review));
  return `${verb} ${isUnknown ? 'all of them' : receiversText(review)}`;
}

function LoadingReview() {
  return (
    <div role="status" aria-label="Counting..." className="grid gap-3">
      <Skeleton className="h-8 w-40" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}
