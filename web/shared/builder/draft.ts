import type {
  EventLeaf,
  Expression,
  ExpressionUnit,
  FieldLeaf,
  FieldOperator,
  MessageLeaf,
  TopicLeaf,
} from '#contracts/expressions.ts';

/** A condition on a field as the form has it: every value is the text that was typed. */
export type FieldDraft = {
  what: 'field';
  field: string;
  op: FieldOperator;
  value: string;
  second: string;
  n: string;
  unit: ExpressionUnit;
};
export type MessageDraft = {
  what: 'message';
  of: 'campaign' | 'flow' | 'any';
  state: MessageLeaf['state'];
  isMissed: boolean;
  isLast: boolean;
  /** Of the last so many days; empty: at any time. */
  days: string;
};
/** A condition on a property, which an event's line has under it. */
export type PropertyDraft = { id: number; isNot: boolean; leaf: FieldDraft };
export type EventDraft = {
  what: 'event';
  event: string;
  op: EventLeaf['times']['op'];
  times: string;
  /** In the last so many; empty: at any time. */
  n: string;
  unit: ExpressionUnit;
  where: readonly PropertyDraft[];
};
type SegmentDraft = { what: 'segment'; segment: number | undefined };
type TopicDraft = { what: 'topic'; topic: number | undefined; state: NonNullable<TopicLeaf['state']> };
type ShareDraft = { what: 'share'; percent: string };
/** A condition that was made elsewhere and that the form has no fields for. */
type KeptDraft = { what: 'kept'; leaf: Expression };

export type LeafDraft = FieldDraft | MessageDraft | EventDraft | SegmentDraft | TopicDraft | ShareDraft | KeptDraft;
export type LineDraft = { kind: 'line'; id: number; isNot: boolean; leaf: LeafDraft };
export type GroupDraft = { kind: 'group'; id: number; isNot: boolean; match: 'all' | 'any'; items: readonly Draft[] };
export type Draft = LineDraft | GroupDraft;

let lastId = 0;
const nextId = () => (lastId += 1);

export const emptyField: FieldDraft = {
  what: 'field',
  field: '',
  op: 'equals',
  value: '',
  second: '',
  n: '30',
  unit: 'days',
};

export const newProperty = (leaf: FieldDraft = emptyField, isNot = false): PropertyDraft => ({
  id: nextId(),
  isNot,
  leaf,
});

export const newLine = (leaf: LeafDraft = emptyField): LineDraft => ({
  kind: 'line',
  id: nextId(),
  isNot: false,
  leaf,
});

export function newGroup(items: readonly Draft[], match: 'all' | 'any' = 'all'): GroupDraft {
  return { kind: 'group', id: nextId(), isNot: false, match, items };
}

/** The whole as the form shows it: a group, whatever the expression is. */
export function draftOf(expression: Expression): GroupDraft {
  const draft = readDraft(expression);
  return draft.kind === 'group' ? draft : newGroup([draft]);
}

function readDraft(expression: Expression): Draft {
  if ('all' in expression) return newGroup(expression.all.map(readDraft));
  if ('any' in expression) return newGroup(expression.any.map(readDraft), 'any');
  if ('message' in expression) return newLine(messageDraft(expression));
  if ('not' in expression) {
    const inner = readDraft(expression.not);
    return inner.isNot ? { ...newGroup([inner]), isNot: true } : { ...inner, isNot: true };
  }
  if ('event' in expression) return newLine(eventDraft(expression));
  if ('segment' in expression) return newLine({ what: 'segment', segment: expression.segment });
  if ('topic' in expression) {
    return newLine({ what: 'topic', topic: expression.topic, state: expression.state ?? 'receives' });
  }
  if ('bucket' in expression) {
    const { of, from, to, salt } = expression.bucket;
    const isPlain = of === 100 && from === 0 && salt === '';
    return newLine(isPlain ? { what: 'share', percent: String(to) } : { what: 'kept', leaf: expression });
  }
  return newLine(fieldDraft(expression));
}

/** Groups of properties, and events between two dates, have no fields. */
function eventDraft(leaf: EventLeaf): LeafDraft {
  const { event, times, window, where = [] } = leaf;
  const properties = where.map((each) => {
    const inner = 'not' in each ? each.not : each;
    const draft = 'field' in inner ? fieldDraft(inner) : undefined;
    return draft?.what === 'field' ? newProperty(draft, 'not' in each) : undefined;
  });
  const known = properties.filter((each) => each !== undefined);
  if ((window && !('last' in window)) || known.length < properties.length) return { what: 'kept', leaf };
  const span = window ? { n: String(window.last), unit: window.unit } : { n: '', unit: 'days' as const };
  return { what: 'event', event, op: times.op, times: String(times.n), ...span, where: known };
}

function fieldDraft(leaf: FieldLeaf): LeafDraft {
  const draft = { ...emptyField, field: leaf.field, op: leaf.op };
  if (leaf.op === 'exists') return draft;
  if ('n' in leaf) return { ...draft, n: String(leaf.n), unit: leaf.unit };
  if (leaf.op === 'between') return { ...draft, value: String(leaf.value[0]), second: String(leaf.value[1]) };
  if (leaf.op !== 'in') return { ...draft, value: String(leaf.value) };
  const hasComma = leaf.value.some((value) => String(value).includes(','));
  return hasComma ? { what: 'kept', leaf } : { ...draft, value: leaf.value.join(', ') };
}

function messageDraft(leaf: MessageLeaf): LeafDraft {
  const { message, state, not: isMissed = false, window } = leaf;
  const isOfDays = window === undefined || ('last' in window && window.unit === 'days');
  if (message.id !== undefined || !isOfDays) return { what: 'kept', leaf };
  const days = window && 'last' in window ? String(window.last) : '';
  return { what: 'message', of: message.of, state, isMissed, isLast: message.last ?? false, days };
}

/** A draft with the place of its expression, as the server names it. */
export type Placed = { draft: Draft; path: string };

/** Where the items of a group stand, whose own expression stands at `path`. */
export function placedItems({ isNot, match, items }: GroupDraft, path: string): Placed[] {
  const at = isNot ? `${path}.not` : path;
  return items.map((draft, index) => ({ draft, path: `${at}.${match}.${index}` }));
}

/** The expression of the form so far: the contract judges whether it can be saved. */
export function expressionOfDraft(draft: Draft): Expression {
  const inner = draft.kind === 'line' ? leafOf(draft.leaf) : groupOf(draft);
  return draft.isNot ? { not: inner } : inner;
}

function groupOf({ match, items }: GroupDraft): Expression {
  const expressions = items.map(expressionOfDraft);
  return match === 'all' ? { all: expressions } : { any: expressions };
}

/** Text that is no number stays what it is, so that the contract says so. */
const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

function leafOf(leaf: LeafDraft): Expression {
  switch (leaf.what) {
    case 'field':
      return fieldLeafOf(leaf);
    case 'event':
      return eventLeafOf(leaf);
    case 'segment':
      return { segment: leaf.segment ?? 0 };
    case 'topic':
      return { topic: leaf.topic ?? 0, ...(leaf.state !== 'receives' && { state: leaf.state }) };
    case 'share':
      return { bucket: { of: 100, from: 0, to: numberIn(leaf.percent), salt: '' } };
    case 'message':
      return {
        message: { of: leaf.of, ...(leaf.isLast && { last: true as const }) },
        state: leaf.state,
        ...(leaf.isMissed && { not: true as const }),
        ...(leaf.days.trim() !== '' && { window: { last: numberIn(leaf.days), unit: 'days' as const } }),
      };
    case 'kept':
      return leaf.leaf;
  }
}

function eventLeafOf({ event, op, times, n, unit, where }: EventDraft): Expression {
  return {
    event: event.trim(),
    times: { op, n: numberIn(times) },
    ...(n.trim() !== '' && { window: { last: numberIn(n), unit } }),
    ...(where.length > 0 && {
      where: where.map(({ isNot, leaf }) => {
        const inner = fieldLeafOf(leaf);
        return isNot ? { not: inner } : inner;
      }),
    }),
  };
}

function fieldLeafOf({ field: typed, op, value, second, n, unit }: FieldDraft): FieldLeaf {
  const field = typed.trim();
  switch (op) {
    case 'exists':
      return { field, op };
    case 'in':
      return {
        field,
        op,
        value: value
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== ''),
      };
    case 'between':
      return { field, op, value: [value, second] };
    case 'within_last':
    case 'more_than_ago':
    case 'within_next':
    case 'anniversary_in':
      return { field, op, n: numberIn(n), unit };
    default:
      return { field, op, value };
  }
}

/** The draft with another one in place of that with the id; without one, it goes, and so does a group that it leaves empty. */
export function replaced(group: GroupDraft, id: number, by: Draft | undefined): GroupDraft {
  if (group.id === id) return by?.kind === 'group' ? by : group;
  const items = group.items.flatMap((item): Draft[] => {
    if (item.id === id) return by ? [by] : [];
    if (item.kind === 'line') return [item];
    const inner = replaced(item, id, by);
    return inner.items.length === 0 ? [] : [inner];
  });
  return { ...group, items };
}
