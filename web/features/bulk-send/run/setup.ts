import { maxCaptionLength } from '#contracts/message-content.ts';
import type { CarriedValue } from '#web/shared/attach/carried-file.ts';
import { isWhole, type BoundValue, type MessageKind } from '#web/shared/whatsapp-template/bound-value.ts';
import { unknownPlaceholders } from '../fill-message.ts';

/** A text with a file, or a WhatsApp template in their place. */
export type Content = { message: string; media: CarriedValue; kind: MessageKind; template: BoundValue };

/** The message and its project, as typed. */
export type Setup = Content & { projectId: string; delay: string; topicId: number | null };

/** The same, as a run takes it. */
export type RunSettings = Content & { projectId: number; delayMs: number; topicId: number | null };

export const firstSetup: Setup = {
  projectId: '',
  delay: '1000',
  message: '',
  media: null,
  kind: 'text',
  template: null,
  topicId: null,
};

/** Where an upload for the message is kept, and the file of a template's header. */
export const bulkFilePlace = 'bulk-send';
export const bulkHeaderPlace = 'bulk-send header';

/** Undefined while none is chosen. */
export const projectOf = ({ projectId }: Setup) => (projectId === '' ? undefined : Number(projectId));

export function isDelay(delay: string): boolean {
  return delay.trim() !== '' && Number(delay) >= 0;
}

/** All that is filled in for each row. */
export function textsOf({ kind, message, template }: Content): string {
  if (kind === 'text') return message;
  return Object.values(template?.variables ?? {})
    .flatMap(({ text, default: instead }) => (instead.trim() === '' ? text : []))
    .join('\n');
}

/** Whether a run can be made of what is typed. */
export function isComplete(setup: Setup, columns: readonly string[]): boolean {
  const { projectId, delay, message, media, kind, template } = setup;
  const isWritten =
    kind === 'template'
      ? isWhole(template)
      : media === null
        ? message.trim() !== ''
        : message.length <= maxCaptionLength;
  const isFilled = isWritten && unknownPlaceholders(textsOf(setup), columns).length === 0;
  return projectId !== '' && isDelay(delay) && isFilled;
}
