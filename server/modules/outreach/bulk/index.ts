export { removeOldDrafts } from './remove-old-drafts.ts';
export { bulkRunRoutes } from './routes.ts';
export { settleRows } from './rows/settle-rows.ts';
export { createBulkRunner } from './sending/bulk-runner.ts';
export { wakeBulkRun, wakeBulkRuns } from './wake-bulk-runs.ts';
export { eraseRows } from './rows/erase-rows.ts';
