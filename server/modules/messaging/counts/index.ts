export { countMessages } from './count-messages.ts';
export { countTemplates } from './count-templates.ts';
export { countsOfPhone } from './counts-of-phone.ts';
export { removeOldCounts } from './remove-old-counts.ts';
export { messageCountRoutes } from './routes.ts';
export { findTemplateCounts, templateCountsOfPhone } from './template-counts.ts';
export type { TemplateCounts } from './template-counts.ts';
