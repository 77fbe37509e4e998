import { join } from 'node:path';
import type { Plugin } from 'vite';

const contracts = join(import.meta.dirname, '../../contracts');

type Node = { type?: string; start?: number; end?: number; [key: string]: unknown };

/** Leaves out what the API document says of each field: no page shows it, and pages with forms would carry it. */
export function stripDescriptions(): Plugin {
  return {
    name: 'strip-descriptions',
    apply: 'build',
    transform: {
      filter: { id: { include: [`${contracts}/**`] }, code: '.describe(' },
      handler(code) {
        const spans = findDescriptions(this.parse(code));
        let stripped = code;
        for (const [start, end] of spans.toSorted(([a], [b]) => b - a)) {
          stripped = stripped.slice(0, start) + stripped.slice(end);
        }
        return { code: stripped, map: null };
      },
    },
  };
}

/** Where each `.describe('…')` begins and ends, the call of a method of a schema with a text. */
function findDescriptions(node: unknown): [number, number][] {
  if (Array.isArray(node)) return node.flatMap(findDescriptions);
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(findDescriptions);
  const { type, end, callee } = node as Node & { callee?: Node & { object?: Node; property?: Node } };
  const isDescription = type === 'CallExpression' && callee?.property?.['name'] === 'describe';
  return isDescription ? [...inner, [Number(callee?.object?.end), Number(end)]] : inner;
}
