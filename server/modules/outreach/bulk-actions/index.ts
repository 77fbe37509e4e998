export { createBulkActionRunner } from './bulk-action-runner.ts';
export { removeOldBulkActions } from './remove-old-bulk-actions.ts';
export { bulkActionRoutes } from './routes.ts';
