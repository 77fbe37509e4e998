import { maxCaptionLength } from '#contracts/message-content.ts';
import type { CarriedValue } from '#web/shared/attach/carried-file.ts';
import { unknownPlaceholders } from '../fill-message.ts';

/** The message and its project, as typed. */
export type Setup = {
  projectId: string;
  delay: string;
  message: string;
  media: CarriedValue;
  topicId: number | null;
};

/** The same, as a run takes it. */
export type RunSettings = {
  projectId: number;
  delayMs: number;
  message: string;
  media: CarriedValue;
  topicId: number | null;
};

export const firstSetup: Setup = { projectId: '', delay: '1000', message: '', media: null, topicId: null };

/** Where an upload for the message is kept. */
export const bulkFilePlace = 'bulk-send';

export function isDelay(delay: string): boolean {
  return delay.trim() !== '' && Number(delay) >= 0;
}

/** Whether a run can be made of what is typed. */
export function isComplete({ projectId, delay, message, media }: Setup, columns: readonly string[]): boolean {
  const isWritten = media === null ? message.trim() !== '' : message.length <= maxCaptionLength;
  const isFilled = isWritten && unknownPlaceholders(message, columns).length === 0;
  return projectId !== '' && isDelay(delay) && isFilled;
}
