import { useRef } from 'react';
import { randomId } from './random-id.ts';

/** The Idempotency-Key of what is sent: a try that was cut off and is repeated is the same; once changed, it is another. */
export function useTryKey() {
  const last = useRef<{ content: string; key: string }>(undefined);
  return {
    keyOf: (body: object): string => {
      const content = JSON.stringify(body);
      if (last.current?.content !== content) last.current = { content, key: randomId() };
      return last.current.key;
    },
    /** Once it was answered, the same again is meant. */
    forget: (): void => {
      last.current = undefined;
    },
  };
}
