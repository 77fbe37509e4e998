/** As many as the server takes in a request. */
const mostTogether = 50;

/** Asks for one id at a time; what is asked for in one turn of the page, such as by all rows of a list, is one request. */
export function gatherIds<T>(
  ask: (ids: readonly number[]) => Promise<ReadonlyMap<number, T>>,
): (id: number) => Promise<T | undefined> {
  let gathering: { ids: Set<number>; answers: Promise<ReadonlyMap<number, T>> } | undefined;
  return async (id) => {
    if (gathering === undefined || gathering.ids.size === mostTogether) {
      const ids = new Set<number>();
      const turn = new Promise<void>((resolve) => setTimeout(resolve));
      const answers = turn.then(() => {
        if (gathering?.ids === ids) gathering = undefined;
        return ask([...ids]);
      });
      gathering = { ids, answers };
    }
    gathering.ids.add(id);
    return (await gathering.answers).get(id);
  };
}
