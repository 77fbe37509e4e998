import { useEffect, useRef, useState } from 'react';
import type { Message } from '#contracts/messages.ts';
import { isSentHere } from '../composer/sent-here.ts';

const beforeTheThread = -1;

/**
 * Whether somebody else has answered since one began to write: the message, until it is seen. `items` are newest
 * first.
 */
export function useAnsweredMeanwhile(items: readonly Message[] | undefined) {
  const [begunAfter, setBegunAfter] = useState<number>();
  const newestId = items === undefined ? undefined : (items[0]?.id ?? 0);
  const newest = useRef(newestId);
  useEffect(() => {
    // A text that is begun before the thread has come knows no answer yet: the first page is where it begins.
    if (newest.current === undefined && newestId !== undefined)
      setBegunAfter((before) => (before === beforeTheThread ? newestId : before));
    newest.current = newestId;
  }, [newestId]);
  const answer =
    begunAfter === undefined || begunAfter === beforeTheThread
      ? undefined
      : items?.find(
          ({ id, direction, source }) =>
            id > begunAfter &&
            direction === 'outgoing' &&
            (source === 'inbox' || source === 'handset') &&
            !isSentHere(id),
        );
  return {
    answer,
    /** The text has changed: the first letter begins it, and an emptied text ends it. */
    onWrite(text: string): void {
      if (text.trim() === '') setBegunAfter(undefined);
      else setBegunAfter((before) => before ?? newest.current ?? beforeTheThread);
    },
    /** The answers until now are known. */
    onSeen: () => setBegunAfter(newest.current ?? beforeTheThread),
  };
}
