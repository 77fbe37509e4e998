import type { EndpointRef } from './delivery-slots.ts';

/** Which endpoints have records to deliver, and from when. */
export type DueEndpoints = {
  wake(endpoint: EndpointRef, at: number): void;
  /** The endpoints due at `now`, the longest waiting for their turn first. */
  dueAt(now: number): EndpointRef[];
  /** Before a claim, so that a record which comes during the claim wakes its endpoint anew. */
  remove(endpoints: readonly EndpointRef[]): void;
  /** When the first endpoint is due; undefined when there is none. */
  nextAt(): number | undefined;
};

export function createDueEndpoints(): DueEndpoints {
  // A map keeps its order of insertion, so an endpoint that is woken again stands at the end.
  const waiting = new Map<number, { endpoint: EndpointRef; at: number }>();
  return {
    wake(endpoint, at) {
      const earlier = waiting.get(endpoint.queueId);
      if (earlier) earlier.at = Math.min(earlier.at, at);
      else waiting.set(endpoint.queueId, { endpoint, at });
    },
    dueAt(now) {
      return [...waiting.values()].filter(({ at }) => at <= now).map(({ endpoint }) => endpoint);
    },
    remove(endpoints) {
      for (const { queueId } of endpoints) waiting.delete(queueId);
    },
    nextAt() {
      let next: number | undefined;
      for (const { at } of waiting.values()) next = Math.min(at, next ?? at);
      return next;
    },
  };
}
