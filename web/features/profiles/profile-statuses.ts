/** Statuses with colours of their own; any other text can be one. */
export const profileStatuses: readonly string[] = [
  'active',
  'inactive',
  'connected',
  'disconnected',
  'error',
  'failed',
];
