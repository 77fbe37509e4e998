export { estimateCost } from './estimate-cost.ts';
export { noteCosts } from './note-costs.ts';
export { costRoutes } from './routes.ts';
