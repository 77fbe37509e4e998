import { z } from 'zod';

/** Lists are read item by item: an item of an unknown shape hides nothing beside it. */
export const items = z.array(z.unknown()).catch([]);

const loose = z.record(z.string(), z.unknown()).catch({});

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
/** None of anything but an object. */
export const fieldsOf = (value: unknown): Record<string, unknown> => loose.parse(value);
