import type { QueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { MAX_CONCURRENT } from "../../api/rate-limit.ts";
import { type Outcome, runBounded } from "../../api/run-bounded.ts";

/** Changes and moves of a project's issues are sent one after another, in the order in which they were made. */
export const inOrder = (projectId: number) => {
  const mutationKey = ["issue", projectId];
  return { mutationKey, scope: { id: JSON.stringify(mutationKey) } };
};

/** The issues that the variables of such a mutation name. */
type Changed = { id?: number; ids?: ReadonlySet<number> };

/** How many changes of the issue have not been answered. */
export const changesInFlight = (client: QueryClient, { id, project_id }: Issue): number =>
  client.isMutating({
    mutationKey: inOrder(project_id).mutationKey,
    predicate: ({ state }) => {
      const changed = (state.variables ?? {}) as Changed;
      return changed.id === id || changed.ids?.has(id) === true;
    },
  });

/** Runs a task for each of several issues, some at a time, after the earlier changes of their projects. */
export async function runInOrder<T extends { issue: Issue }>(
  client: QueryClient,
  items: readonly T[],
  task: (item: T) => Promise<unknown>,
): Promise<Outcome<T>[]> {
  const byProject = Map.groupBy(items, ({ issue }) => issue.project_id);
  const outcomes = [...byProject].map(([projectId, some]) =>
    client
      .getMutationCache()
      .build<Outcome<T>[], Error, Changed, unknown>(client, {
        ...inOrder(projectId),
        mutationFn: () => runBounded(some, MAX_CONCURRENT, task),
      })
      .execute({ ids: new Set(some.map(({ issue }) => issue.id)) }),
  );
  return (await Promise.all(outcomes)).flat();
}
