import type { Json } from '#server/platform/db/columns.ts';
import type { Reading } from '#server/platform/service.ts';

/** Figures that belong to no single process, as the last one has counted them. */
export type CountedFiguresTable = { name: string; counted_at: Date; readings: Json<Reading[]> };

export type FigureTables = { counted_figures: CountedFiguresTable };
