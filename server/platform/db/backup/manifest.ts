import { z } from 'zod';

const Table = z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int().nonnegative() });

/** `manifest.json` of a backup; written last, so that a backup without one is not whole. */
export const Manifest = z.object({
  format: z.literal(1),
  made_at: z.iso.datetime(),
  server_version: z.string(),
  /** The migrations that the data are of. */
  migrations: z.array(z.string()),
  /** Each in `NAME.copy.gz`, as COPY writes text. */
  tables: z.array(Table),
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bound: z.string() })),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestFile = 'manifest.json';
export const tableFile = (name: string) => `${name}.copy.gz`;

/** A backup cannot be made or restored; the message is for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
