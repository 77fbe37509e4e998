export { eraseImportedRows } from './erase-imported-rows.ts';
export { createImportRunner } from './import-runner.ts';
export { removeOldImports } from './remove-old-imports.ts';
export { profileImportRoutes } from './routes.ts';
