export { listOperatorActs, recordOperatorAct } from './operator-acts.ts';
