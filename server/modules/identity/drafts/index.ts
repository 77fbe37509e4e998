export { eraseDraftsOf, removeOldTypedDrafts } from './drafts.ts';
export { draftRoutes } from './routes.ts';
