export { keepEventBudgets, noteErasedEvents, recountEvents, removeOldEventKeys } from './keep-budget.ts';
export { listEvents } from './list-events.ts';
export { eventRoutes } from './routes.ts';
