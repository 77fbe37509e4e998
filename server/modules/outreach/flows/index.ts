export { deleteFlow } from './delete-flow.ts';
export { flowFilter } from './list-flows.ts';
export { setFlowActive } from './set-flow-active.ts';
export { createFlowRunner } from './flow-runner.ts';
export { refuseSegmentOfFlows } from './refuse-segment-of-flows.ts';
export { flowRoutes } from './routes.ts';
export { settleDeliveries } from './deliveries/settle-deliveries.ts';
export { announceToFlows } from './wake-flows.ts';
