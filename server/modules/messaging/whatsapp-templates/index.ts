export { fillTemplate } from './fill-template.ts';
export { followTemplateNotice, isTemplateField } from './follow-notices.ts';
export { whatsappTemplateRoutes } from './routes.ts';
export { createTemplateSync } from './sync-service.ts';
