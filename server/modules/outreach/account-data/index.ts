export { archivedTables, readTable } from './archived-tables.ts';
export { deleteByOperator, deleteDueAccounts } from './delete-account.ts';
export { createExportRunner } from './export-runner.ts';
export { removeOldExports, resealExportLinks } from './exports.ts';
export { accountDataRoutes } from './routes.ts';
