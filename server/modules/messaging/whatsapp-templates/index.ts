export { allTextsOf, bindTemplate, isSameBinding, presentBinding, rebindTemplate } from './bind-template.ts';
export type { StoredBinding } from './tables.ts';
export { fillBinding, loadBinding, templateFor } from './bound-source.ts';
export type { BoundSource } from './bound-source.ts';
export { fillTemplate } from './fill-template.ts';
export { followTemplateNotice, isTemplateField } from './follow-notices.ts';
export { whatsappTemplateRoutes } from './routes.ts';
export { createTemplateSync } from './sync-service.ts';
