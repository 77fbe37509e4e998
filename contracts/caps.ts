import { z } from 'zod';
import { Id } from './page.ts';
import { GivenTopic, topicOfSource } from './topics.ts';

/** The fate of somebody who has had as many messages as the caps allow. */
export const WhenCapped = z
  .enum(['skip', 'wait'], 'Choose skip or wait')
  .describe('Whoever has had as many messages as the caps allow is skipped, or waits until there may be another one.');
export type WhenCapped = z.infer<typeof WhenCapped>;

export const CapPriority = z
  .enum(['high', 'normal', 'low'], 'Choose high, normal or low')
  .describe('Which of several that wait for the same person goes first, where the caps leave room for one.');
export type CapPriority = z.infer<typeof CapPriority>;

/** Of a campaign and a flow: to whom of its audience it may write. */
export const sourceRules = {
  topic_id: topicOfSource,
  when_capped: WhenCapped,
  priority: CapPriority.describe('The highest of those that can send goes first.'),
};

export const audienceProjectIds = z
  .array(Id)
  .nullable()
  .describe(
    'Of a member who sees these projects alone: of its audience it goes to people who have a conversation in them, and to ' +
      'nobody else. Null: to all.',
  );

export const givenRules = {
  topic_id: GivenTopic.describe('Which topic.'),
  when_capped: WhenCapped.optional(),
  priority: CapPriority.optional().describe('The highest of those that can send goes first.'),
};
