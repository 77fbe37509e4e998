/** What is sent through which project, as typed. */
export type Setup = { projectId: string; delay: string; message: string };

/** The same, as a run takes it. */
export type RunSettings = { projectId: number; delayMs: number; message: string };

export const firstSetup: Setup = { projectId: '', delay: '1000', message: '' };

export function setupOf({ projectId, delayMs, message }: RunSettings): Setup {
  return { projectId: String(projectId), delay: String(delayMs), message };
}
