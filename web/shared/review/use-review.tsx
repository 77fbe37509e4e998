import { useState, type ReactNode } from 'react';
import type { Review } from '#contracts/reviews.ts';
import type { ReviewAnswer, ReviewAsked } from './review-dialog.tsx';
import { ApiError } from '../api-error.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { isForFew, mostUnasked } from './review-words.ts';

type Question = ReviewAsked & { first: Review | undefined; answer: (answer: ReviewAnswer) => void };

type ReviewStep = {
  /** Answers what is meant: `send` at once where it goes to few. */
  ask: (asked: ReviewAsked) => Promise<ReviewAnswer>;
  /** To be rendered where it is asked. */
  question: ReactNode;
};

/** The step between a click that sends and what goes to many. */
export function useReview(): ReviewStep {
  const [question, setQuestion] = useState<Question>();

  async function ask(asked: ReviewAsked): Promise<ReviewAnswer> {
    const isUnasked = asked.isAlways !== true;
    if (isUnasked && asked.count !== undefined && asked.count <= mostUnasked) return 'send';
    // Recipients that cannot be counted may be many: the dialog asks again, and says why. Faults in the form are mended first.
    const first = await asked.ask().catch((error: unknown) => {
      if (error instanceof ApiError && error.fieldErrors.length > 0) throw error;
      return undefined;
    });
    if (isUnasked && first !== undefined && isForFew(first)) return 'send';
    const answer = await new Promise<ReviewAnswer>((resolve) => setQuestion({ ...asked, first, answer: resolve }));
    setQuestion(undefined);
    return answer;
  }

  return { ask, question: question && <ReviewDialog {...question} /> };
}
