import type { ColumnType } from 'kysely';

/** A column that the driver reads as parsed JSON and takes as JSON text. */
export type Json<T> = ColumnType<T, string, string>;

/** Like `Json`, where the database has a default. */
export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>;

export type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

/** The driver reads PostgreSQL's `infinity` as the number Infinity. */
export type AccessUntil = ColumnType<
  Date | number | null,
  Date | 'infinity' | null | undefined,
  Date | 'infinity' | null
>;
