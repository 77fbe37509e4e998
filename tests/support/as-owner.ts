import pg from 'pg';

/** Runs one statement as the owner of the tables, for what the application's role may not do. */
export async function asOwner(
  { ownerConnectionString }: { ownerConnectionString: string },
  statement: string,
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerConnectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
