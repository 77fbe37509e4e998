export { templateFilter } from './list-templates.ts';
export { deleteTemplate } from './queries.ts';
export { templateRoutes } from './routes.ts';
