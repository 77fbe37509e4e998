/** The limit of `vi.waitFor`, as patient as `expect.poll` is by the configuration of the tests. */
export const patience = { timeout: 60_000 };
