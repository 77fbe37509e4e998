import type {
  BucketLeaf,
  EventLeaf,
  ExpressionLeaf,
  ExpressionUnit,
  ExpressionValue,
  FieldLeaf,
  MessageLeaf,
  PropertyLeaf,
} from './expressions.ts';
import { parseFieldPath } from './field-path.ts';
import { messageEvents } from './message-events.ts';
import { readTimeMs } from './read-time.ts';

type Fault = { message: string; path: (string | number)[] };

const mostOf: Readonly<Record<ExpressionUnit, number>> = {
  minutes: 5_000_000,
  hours: 876_000,
  days: 36_500,
  weeks: 5200,
  months: 1200,
};

/** Reads a bound: a number, or a time in milliseconds. Undefined: neither. */
export function readBound(value: number | string): { kind: 'number' | 'time'; value: number } | undefined {
  if (typeof value === 'number') return { kind: 'number', value };
  const number = readNumber(value);
  if (number !== undefined) return { kind: 'number', value: number };
  const time = readTimeMs(value);
  return time === undefined ? undefined : { kind: 'time', value: time };
}

/** A stored value as a number; the database's `number_of` reads the same. Undefined for everything else. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.replaceAll(/^[ \t\n\r]+|[ \t\n\r]+$/g, '');
  return /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}

/** The fault of a leaf that its parts alone do not show. */
export function leafFault(leaf: ExpressionLeaf | PropertyLeaf): Fault | undefined {
  if ('field' in leaf) return fieldFault(leaf);
  if ('message' in leaf) return messageFault(leaf);
  if ('event' in leaf) return eventFault(leaf);
  return 'bucket' in leaf ? bucketFault(leaf) : undefined;
}

const timeColumns: readonly string[] = ['created_at', 'updated_at'];
const timeOperators = [
  'equals',
  'exists',
  'gt',
  'lt',
  'between',
  'within_last',
  'more_than_ago',
  'within_next',
  'anniversary_in',
];
const operatorsOf: Readonly<Record<string, readonly string[]>> = {
  created_at: timeOperators,
  updated_at: timeOperators,
  phone_is_valid: ['equals', 'exists'],
  phone: ['equals', 'in', 'contains', 'starts', 'exists'],
  tags: ['equals', 'in', 'contains', 'starts', 'includes', 'exists'],
};

function fieldFault(leaf: FieldLeaf): Fault | undefined {
  const allowed = operatorsOf[leaf.field];
  if (allowed && !allowed.includes(leaf.op)) {
    return { message: `With ${leaf.field}, use ${allowed.join(', ')}`, path: ['op'] };
  }
  if ('n' in leaf) return spanFault(leaf, leaf.op === 'anniversary_in');
  switch (leaf.op) {
    case 'contains':
    case 'starts':
      return isBlank(leaf.value) ? { message: 'Enter text', path: ['value'] } : undefined;
    case 'gt':
    case 'lt':
      return boundsFault(leaf.field, [leaf.value], () => ['value']);
    case 'between':
      return boundsFault(leaf.field, leaf.value, (index) => ['value', index]);
    default:
      return undefined;
  }
}

const isBlank = (value: ExpressionValue) => String(value).trim() === '';

function spanFault({ n, unit }: { n: number; unit: ExpressionUnit }, isAnniversary: boolean): Fault | undefined {
  if (!isAnniversary) return n > mostOf[unit] ? { message: 'Use at most 100 years', path: ['n'] } : undefined;
  const most = { days: 366, weeks: 52, months: 12 }[unit as 'days' | 'weeks' | 'months'];
  if (most === undefined) return { message: 'Choose days, weeks or months', path: ['unit'] };
  return n > most ? { message: 'Use at most a year', path: ['n'] } : undefined;
}

function boundsFault(
  field: string,
  bounds: readonly (number | string)[],
  at: (index: number) => (string | number)[],
): Fault | undefined {
  const read = bounds.map(readBound);
  const wrong = read.findIndex((bound) => bound === undefined);
  if (wrong !== -1) return { message: 'Enter a number or a time', path: at(wrong) };
  const kinds = new Set(read.map((bound) => bound?.kind));
  if (kinds.size > 1) return { message: 'Enter two numbers or two times', path: ['value'] };
  const isOfTime = parseFieldPath(field)?.kind === 'column' && timeColumns.includes(field);
  if (isOfTime && kinds.has('number')) return { message: 'Enter a time, ISO 8601', path: at(0) };
  const [from, to] = read;
  // The wrong way round they would match nobody, without a word.
  if (from && to && from.value > to.value) {
    return { message: `Enter the lower one first: ${JSON.stringify(bounds.toReversed())}`, path: ['value'] };
  }
  return undefined;
}

function messageFault({ message, window }: MessageLeaf): Fault | undefined {
  if (message.of === 'any' && message.id !== undefined) {
    return { message: 'Say whether it is a campaign or a flow', path: ['message', 'of'] };
  }
  return windowFault(window);
}

function windowFault(window: MessageLeaf['window']): Fault | undefined {
  if (!window) return undefined;
  if (!('last' in window) || window.last <= mostOf[window.unit]) return undefined;
  return { message: 'Use at most 100 years', path: ['window', 'last'] };
}

function eventFault({ event, times, window }: EventLeaf): Fault | undefined {
  const known: readonly string[] = messageEvents;
  if (event.startsWith('$') && !known.includes(event)) {
    return { message: `Choose one of ${known.join(', ')}`, path: ['event'] };
  }
  if (times.op !== '=' && times.n === 0) return { message: 'Use at least 1', path: ['times', 'n'] };
  if (window && 'from' in window && new Date(window.to) <= new Date(window.from)) {
    return { message: 'Use a time after the first', path: ['window', 'to'] };
  }
  return windowFault(window);
}

function bucketFault({ bucket: { of, from, to } }: BucketLeaf): Fault | undefined {
  if (from >= of) return { message: `Use at most ${of - 1}`, path: ['bucket', 'from'] };
  if (to > of || to <= from) return { message: `Use ${from + 1} to ${of}`, path: ['bucket', 'to'] };
  return undefined;
}
