import type { FieldOperator } from '#contracts/expressions.ts';

export type OperatorChoice = { value: string; label: string; op: FieldOperator; isNot: boolean };

const choice = (op: FieldOperator, label: string, notLabel?: string): OperatorChoice[] => [
  { value: op, label, op, isNot: false },
  ...(notLabel === undefined ? [] : [{ value: `not ${op}`, label: notLabel, op, isNot: true }]),
];

/** As people say them; the opposite of each is `not` of it. */
export const operatorGroups: readonly { label: string; choices: readonly OperatorChoice[] }[] = [
  {
    label: 'Text',
    choices: [
      ...choice('equals', 'is', 'is not'),
      ...choice('in', 'is one of', 'is none of'),
      ...choice('contains', 'contains', 'does not contain'),
      ...choice('starts', 'begins with', 'does not begin with'),
      ...choice('includes', 'includes', 'does not include'),
    ],
  },
  { label: 'Existence', choices: choice('exists', 'is filled', 'is empty') },
  {
    label: 'Number or date',
    choices: [
      ...choice('gt', 'is more than'),
      ...choice('lt', 'is less than'),
      ...choice('between', 'is between', 'is not between'),
    ],
  },
  {
    label: 'Date',
    choices: [
      ...choice('within_last', 'is in the last', 'is not in the last'),
      ...choice('more_than_ago', 'is longer ago than'),
      ...choice('within_next', 'is in the next', 'is not in the next'),
      ...choice('anniversary_in', 'has its anniversary in the next'),
    ],
  },
];

const choices = operatorGroups.flatMap((group) => group.choices);

export const operatorChoice = (value: string): OperatorChoice | undefined =>
  choices.find((each) => each.value === value);

/** The value of an operator in the list; undefined where only its opposite is in it. */
export const operatorValue = (op: FieldOperator, isNot: boolean): string | undefined =>
  choices.find((each) => each.op === op && each.isNot === isNot)?.value;
