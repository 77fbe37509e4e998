import { useSearch } from '@tanstack/react-router';
import { useSearchChange } from '../use-search-change.ts';
import type { SortOrder } from './sorting.ts';

type Kind = readonly string[] | 'text' | 'id' | 'json';
type ValueOf<K extends Kind> = K extends readonly (infer Value)[] ? Value : K extends 'id' ? number : string;
type Filters<Kinds extends Record<string, Kind>> = { [Key in keyof Kinds]?: ValueOf<Kinds[Key]> };

/** The state of a list in the URL. */
export type ListState<Sort extends string, Kinds extends Record<string, Kind>> = {
  /** From 2 on. */
  page?: number;
  search?: string;
  sort?: Sort;
  order?: SortOrder;
  /** The columns, their ids with dots between, where they are not the usual ones. */
  cols?: string;
} & Filters<Kinds>;

const maxPage = 1_000_000;
const maxSearchLength = 100;
const maxTextLength = 200;
const maxJsonLength = 8_000;
const orders: readonly SortOrder[] = ['asc', 'desc'];

/**
 * A route's `validateSearch` for a list with these orders and filters: one of some values, a text, an id, the JSON of an
 * object. Unknown values are left out.
 */
export function listSearch<const Sort extends string, const Kinds extends Record<string, Kind>>(
  sorts: readonly Sort[],
  filters: Kinds,
): (search: Record<string, unknown>) => ListState<Sort, Kinds> {
  return (search) => {
    const text = textOf(search['search']).slice(0, maxSearchLength);
    const cols = textOf(search['cols']);
    const page = idOf(search['page']);
    const state = {
      ...(page !== undefined && page > 1 && page <= maxPage && { page }),
      ...(text !== '' && { search: text }),
      ...optional('sort', find(sorts, search['sort'])),
      ...optional('order', find(orders, search['order'])),
      ...(/^[\w.-]{1,300}$/.test(cols) && { cols }),
      ...Object.assign({}, ...Object.entries(filters).map(([key, kind]) => optional(key, read(kind, search[key])))),
    };
    return state as ListState<Sort, Kinds>;
  };
}

function read(kind: Kind, value: unknown): string | number | undefined {
  if (kind === 'id') return idOf(value);
  if (kind === 'json') return jsonOf(value);
  const text = textOf(value);
  if (kind === 'text') return text === '' ? undefined : text.slice(0, maxTextLength);
  return find(kind, text);
}

const find = <Value extends string>(known: readonly Value[], value: unknown) => known.find((each) => each === value);
const optional = (key: string, value: unknown) => (value === undefined ? {} : { [key]: value });

/** A number, or true, that is typed into the address is read as one. */
function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** The router may have read the address's text as an object already. */
function jsonOf(value: unknown): string | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const json = isObject ? JSON.stringify(value) : textOf(value);
  if (!json.startsWith('{') || json.length > maxJsonLength) return undefined;
  try {
    JSON.parse(json);
    return json;
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

type Changes<State> = { [Key in keyof State]?: State[Key] | undefined };

/** Reads and changes the state of a list; another search, filter or order starts at its first page. */
export function useListSearch<State extends object>(
  readSearch: (search: Record<string, unknown>) => State,
): [state: State, change: (changes: Changes<State>, how?: { replace?: boolean }) => void] {
  const state = readSearch(useSearch({ strict: false }));
  return [state, useSearchChange().change];
}
