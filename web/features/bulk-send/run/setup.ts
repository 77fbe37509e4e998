import { unknownPlaceholders } from '../fill-message.ts';

/** What is sent through which project, as typed. */
export type Setup = { projectId: string; delay: string; message: string };

/** The same, as a run takes it. */
export type RunSettings = { projectId: number; delayMs: number; message: string };

export const firstSetup: Setup = { projectId: '', delay: '1000', message: '' };

export function isDelay(delay: string): boolean {
  return delay.trim() !== '' && Number(delay) >= 0;
}

/** Whether a run can be made of what is typed. */
export function isComplete({ projectId, delay, message }: Setup, columns: readonly string[]): boolean {
  const isFilled = message.trim() !== '' && unknownPlaceholders(message, columns).length === 0;
  return projectId !== '' && isDelay(delay) && isFilled;
}
