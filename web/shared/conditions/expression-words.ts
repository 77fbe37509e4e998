import type {
  BucketLeaf,
  EventLeaf,
  Expression,
  FieldLeaf,
  MessageLeaf,
  PropertyExpression,
  TopicLeaf,
} from '#contracts/expressions.ts';

type MessageSource = MessageLeaf['message']['of'];

/** The names of what an expression refers to; undefined where one is not known. */
export type ExpressionNames = {
  segment?: (id: number) => string | undefined;
  topic?: (id: number) => string | undefined;
  /** Of a custom field, as people call it. */
  field?: (path: string) => string | undefined;
  /** Of a campaign or a flow. */
  source?: (of: MessageSource, id: number) => string | undefined;
};

const columnLabels: Readonly<Record<string, string>> = {
  phone: 'Phone number',
  country_code: 'Country',
  name: 'Name',
  email: 'E-mail',
  status: 'Status',
  tags: 'Tags',
  phone_is_valid: 'Valid number',
  language: 'Language',
  timezone: 'Time zone',
  external_id: 'External id',
  created_at: 'Created',
  updated_at: 'Changed',
};

/** `Last order` for `custom_fields.last_order`, `Plan · name` for `custom_fields.plan.name`. */
export function fieldLabel(path: string): string {
  const own = columnLabels[path];
  if (own !== undefined) return own;
  const text = path
    .replace(/^(custom_fields|properties)\./, '')
    .replaceAll('.', ' · ')
    .replaceAll('_', ' ')
    .trim();
  return text === '' ? path : text.charAt(0).toUpperCase() + text.slice(1);
}

/** As a sentence goes: `Status is “active” and not (Tags has “vip”)`. */
export function expressionWords(expression: Expression, names: ExpressionNames = {}): string {
  return wordsOf(expression, names, true);
}

function wordsOf(expression: Expression, names: ExpressionNames, isOutermost = false): string {
  const inner = (each: Expression) => wordsOf(each, names);
  if ('all' in expression) return grouped(expression.all.map(inner), 'and', isOutermost);
  if ('any' in expression) return grouped(expression.any.map(inner), 'or', isOutermost);
  if ('message' in expression) return messageWords(expression, names);
  if ('event' in expression) return eventWords(expression, false);
  if ('not' in expression) return negated(expression.not, names);
  if ('segment' in expression) return `is in ${segmentText(expression.segment, names)}`;
  if ('topic' in expression) return topicWords(expression, { isNot: false, names });
  return 'bucket' in expression ? bucketWords(expression, 'is') : fieldWords(expression, { isNot: false, names });
}

function grouped(parts: readonly string[], word: 'and' | 'or', isOutermost: boolean): string {
  const text = parts.join(` ${word} `);
  return isOutermost || parts.length === 1 ? text : `(${text})`;
}

function negated(expression: Expression, names: ExpressionNames): string {
  if ('field' in expression) return fieldWords(expression, { isNot: true, names });
  if ('segment' in expression) return `is not in ${segmentText(expression.segment, names)}`;
  if ('topic' in expression) return topicWords(expression, { isNot: true, names });
  if ('bucket' in expression) return bucketWords(expression, 'is not');
  if ('event' in expression) return eventWords(expression, true);
  const text = wordsOf(expression, names);
  return text.startsWith('(') ? `not ${text}` : `not (${text})`;
}

const segmentText = (id: number, names: ExpressionNames) => {
  const name = names.segment?.(id);
  return name === undefined ? `segment #${id}` : `the segment “${name}”`;
};

const quoted = (value: string | number | boolean) => (typeof value === 'string' ? `“${value}”` : String(value));

export const spanText = (n: number, unit: string) => `${n.toLocaleString('en')} ${n === 1 ? unit.slice(0, -1) : unit}`;

/** Whether it is asked whether it is not so, and the names that are known. */
type Asked = { isNot: boolean; names: ExpressionNames };

function fieldWords(leaf: FieldLeaf, { isNot, names }: Asked): string {
  const label = names.field?.(leaf.field) ?? fieldLabel(leaf.field);
  switch (leaf.op) {
    case 'equals':
      return `${label} ${isNot ? 'is not' : 'is'} ${quoted(leaf.value)}`;
    case 'includes':
      return `${label} ${isNot ? 'does not include' : 'includes'} ${quoted(leaf.value)}`;
    case 'contains':
      return `${label} ${isNot ? 'does not contain' : 'contains'} ${quoted(leaf.value)}`;
    case 'starts':
      return `${label} ${isNot ? 'does not begin' : 'begins'} with ${quoted(leaf.value)}`;
    case 'in':
      return `${label} ${isNot ? 'is none of' : 'is one of'} ${leaf.value.map(quoted).join(', ')}`;
    case 'exists':
      return `${label} ${isNot ? 'is empty' : 'is filled'}`;
    case 'gt':
      return `${label} is ${isNot ? 'not ' : ''}more than ${String(leaf.value)}`;
    case 'lt':
      return `${label} is ${isNot ? 'not ' : ''}less than ${String(leaf.value)}`;
    case 'between':
      return `${label} is ${isNot ? 'not ' : ''}between ${String(leaf.value[0])} and ${String(leaf.value[1])}`;
    case 'within_last':
      return `${label} is ${isNot ? 'not ' : ''}in the last ${spanText(leaf.n, leaf.unit)}`;
    case 'more_than_ago':
      return `${label} is ${isNot ? 'not ' : ''}more than ${spanText(leaf.n, leaf.unit)} ago`;
    case 'within_next':
      return `${label} is ${isNot ? 'not ' : ''}in the next ${spanText(leaf.n, leaf.unit)}`;
    case 'anniversary_in':
      return `${label} has ${isNot ? 'no' : 'its'} anniversary in the next ${spanText(leaf.n, leaf.unit)}`;
  }
}

const stateWords: Readonly<Record<MessageLeaf['state'], [string, string]>> = {
  sent: ['was sent', 'was not sent'],
  delivered: ['received', 'did not receive'],
  read: ['read', 'did not read'],
  replied: ['answered', 'did not answer'],
  clicked: ['opened a link of', 'opened no link of'],
  failed: ['did not get, as it failed,', 'was not failed'],
};

function messageWords(
  { message: { of, id, last }, state, not: isNot, window }: MessageLeaf,
  names: ExpressionNames,
): string {
  const [yes, no] = stateWords[state];
  const kind = of === 'any' ? 'message of a campaign or flow' : of;
  const subject = id === undefined ? `${last ? 'the latest' : 'a'} ${kind}` : sourceText({ of, id, kind }, names);
  return `${isNot ? no : yes} ${subject}${windowWords(window, 'of')}`;
}

type NamedSource = { of: MessageSource; id: number; kind: string };

function sourceText({ of, id, kind }: NamedSource, names: ExpressionNames): string {
  const name = names.source?.(of, id);
  return name === undefined ? `${kind} #${id}` : `the ${kind} “${name}”`;
}

function windowWords(window: MessageLeaf['window'], word: 'of' | 'in'): string {
  if (window === undefined) return '';
  if ('last' in window) return ` ${word} the last ${spanText(window.last, window.unit)}`;
  return ` from ${window.from.slice(0, 10)} to ${window.to.slice(0, 10)}`;
}

/** The names that people read for events of messages. */
const messageEventWords: Readonly<Record<string, string>> = {
  '$message.sent': 'Message sent',
  '$message.delivered': 'Message delivered',
  '$message.read': 'Message read',
  '$message.replied': 'Message answered',
  '$message.clicked': 'Link clicked',
  '$message.failed': 'Message failed',
  '$message.opted_out': 'Opted out after a message',
};

export const eventLabel = (event: string) => messageEventWords[event] ?? event;

const timesText = (count: number) => (count === 1 ? 'once' : `${count.toLocaleString('en')} times`);

/** `“Order placed” at least 2 times in the last 30 days where Total is more than 50`. */
function eventWords({ event, times: { op, n }, window, where }: EventLeaf, isNot: boolean): string {
  const often = { '>=': 'at least', '=': 'exactly', '<': 'less than' }[op];
  const count = op === '=' && n === 0 ? 'never' : `${often} ${timesText(n)}`;
  const parts = (where ?? []).map((each) => propertyWords(each));
  return [
    isNot ? 'not ' : '',
    `“${eventLabel(event)}” ${count}`,
    windowWords(window, 'in'),
    parts.length === 0 ? '' : ` where ${parts.join(' and ')}`,
  ].join('');
}

function propertyWords(expression: PropertyExpression): string {
  if ('all' in expression) return `(${expression.all.map(propertyWords).join(' and ')})`;
  if ('any' in expression) return `(${expression.any.map(propertyWords).join(' or ')})`;
  if (!('not' in expression)) return fieldWords(expression, { isNot: false, names: {} });
  return 'field' in expression.not
    ? fieldWords(expression.not, { isNot: true, names: {} })
    : `not ${propertyWords(expression.not)}`;
}

const topicStates: Readonly<Record<NonNullable<TopicLeaf['state']>, [string, string]>> = {
  receives: ['receives', 'does not receive'],
  opted_in: ['has opted in to', 'has not opted in to'],
  opted_out: ['has opted out of', 'has not opted out of'],
};

function topicWords({ topic, state = 'receives' }: TopicLeaf, { isNot, names }: Asked): string {
  const name = names.topic?.(topic);
  return `${topicStates[state][isNot ? 1 : 0]} ${name === undefined ? `topic #${topic}` : `the topic “${name}”`}`;
}

function bucketWords({ bucket: { of, from, to } }: BucketLeaf, verb: 'is' | 'is not'): string {
  return `${verb} in a share of ${Number((((to - from) / of) * 100).toFixed(2))} % by chance`;
}
