import type { CleanUp } from '#tests/chaos/chaos-scene.ts';
import { makeCitusCell } from '#tests/citus-cells.ts';
import type { CitusCell } from '#tests/citus-cells.ts';
import { makeSoakScene } from './soak-scene.ts';
import type { SoakScene } from './soak-scene.ts';

/** A soak on Citus, whose coordinator is given as a superuser. */
export type SoakCell = { cell: CitusCell; scene: SoakScene };

export async function makeSoakCell(cleanUp: CleanUp, citusUrl: string, phoneCount: number): Promise<SoakCell> {
  const cell = await makeCitusCell(citusUrl);
  cleanUp.push(cell.drop);
  const scene = await makeSoakScene(cleanUp, phoneCount, {
    connectionString: cell.connectionString,
    settings: { DATABASE_URL: citusUrl, DATABASE_SCHEMA: cell.schema },
  });
  return { cell, scene };
}
