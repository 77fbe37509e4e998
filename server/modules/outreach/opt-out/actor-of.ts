import type { AccountContext } from '#server/context.ts';

/** As the list and its log name who acts. */
export const actorOf = ({ actor }: AccountContext): 'user' | 'api' => (actor.kind === 'user' ? 'user' : 'api');
