export { listOperatorActs, logOperatorActs, recordOperatorAct } from './operator-acts.ts';
