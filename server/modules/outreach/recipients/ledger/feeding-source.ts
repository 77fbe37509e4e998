import type { RawBuilder } from 'kysely';
import type { Account } from '#server/context.ts';
import type { BoundSource } from '#server/modules/messaging/whatsapp-templates/index.ts';
import type { SourceRules } from '#server/modules/audience/topics/index.ts';
import type { MessageTemplate } from '../message-for.ts';
import type { Recipient } from '../skip-reason.ts';
import type { Waiting } from '../waiting-reason.ts';

/** An entry whose turn has come. */
export type Candidate = {
  key: number;
  /** Null where the entry is of a number. */
  profileId: number | null;
  profile: Recipient | undefined;
  isMember: boolean;
};

/** A source whose lock the transaction holds. */
export type FeedingSource = {
  account: Account;
  sourceId: number;
  projectId: number;
  /** The text and the file of an entry: entries of one source may differ in both. */
  contentOf: (entry: Candidate) => MessageTemplate;
  /** The WhatsApp template that all entries are made of. */
  bound?: BoundSource | null;
  /** Changes with the states that hold some entries back: those that were passed are looked at again then. */
  passKey?: string;
  rules: SourceRules;
  waitingCount: number;
  queuedCount: number;
  /** As the last step found it. */
  waiting: Waiting;
};

export type FeedStep = {
  /** How many may be handed over now; the project's phones are locked meanwhile. */
  most: number;
  /** The key after which they wait. */
  after: number;
  /** Profiles that no longer fulfil it, over the table `profiles`, are skipped; undefined: nobody is checked again. */
  audience?: RawBuilder<boolean> | undefined;
};
