import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Issue } from "../../../shared/issues.ts";
import { api, ApiError, withQuery } from "../../api/client.ts";
import type { Page } from "../../../shared/answers.ts";
import { issueQuery, issuesQuery } from "./issues.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";

/** Up to this many issues are read one by one; for more, the whole list. */
const MAX_SINGLE = 6;
const MAX_FOUND = 20;

export type IssuesById = { of: (id: number) => Issue | undefined; isPending: boolean };

/** Issues by id, from cached lists if possible; else a few one by one, or the project's whole list. */
export function useIssuesById(projectId: number, ids: readonly number[]): IssuesById {
  const client = useQueryClient();
  const few = ids.length <= MAX_SINGLE;
  const singles = useQueries({
    queries: (few ? ids : []).map((id) => ({
      ...issueQuery(projectId, id),
      initialData: () =>
        client
          .getQueriesData<Issue[]>({ queryKey: ["issue", projectId, "list"] })
          .flatMap(([, list]) => list ?? [])
          .find((issue) => issue.id === id),
      retry: false,
    })),
    combine: (results) => ({
      issues: results.map(({ data }) => data),
      isPending: results.some(({ isPending }) => isPending),
    }),
  });
  const whole = useQuery({ ...issuesQuery(projectId), enabled: !few });
  const isPending = few ? singles.isPending : whole.isPending;
  const found = few ? singles.issues : whole.data;
  return useMemo(() => {
    const byId = new Map(found?.flatMap((issue) => (issue ? [[issue.id, issue] as const] : [])));
    return { of: (id) => byId.get(id), isPending };
  }, [found, isPending]);
}

/** Searches the issues of a project by words. If the text is a key or number (`WEB-12`, `12`), that issue is first. */
export function useFindIssues(projectId: number, projectKey: string, words: string, enabled: boolean) {
  const text = words.trim();
  const number = new RegExp(`^(?:${projectKey}-?)?(\\d{1,9})$`, "i").exec(text)?.[1];
  return useQuery({
    queryKey: ["issue", projectId, "find", text],
    enabled,
    staleTime: 20_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Issue[]> => {
      const byWords = api.get<Page<Issue>>(
        withQuery(`/api/projects/${projectId}/issues`, {
          query: text,
          sort: text === "" ? "-updated_at" : undefined,
          limit: MAX_FOUND,
        }),
        signal,
      );
      const byNumber =
        number === undefined
          ? undefined
          : api
              .get<Issue>(`/api/projects/${projectId}/issues/${projectKey}-${number}`, signal)
              .catch((error: unknown) => {
                if (error instanceof ApiError && error.status === 404) return undefined;
                throw error;
              });
      const [{ data: found }, byKey] = await Promise.all([byWords, byNumber]);
      return byKey ? [byKey, ...found.filter(({ id }) => id !== byKey.id)] : found;
    },
  });
}

export type Side = "blocked_by_ids" | "blocks_ids" | "relates_to_ids";

/** Not optimistic: the server rejects cycles, and the message is shown under the field. */
export function useSetRelations(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, side, ids }: { id: number; side: Side; ids: number[] }) =>
      api.patch<Issue>(`/api/projects/${projectId}/issues/${id}`, { [side]: ids }),
    onSuccess: async (issue) => {
      patchEverywhere(client, "issue", issue.id, issue);
      // The issues on the other side of the relations have changed as well.
      await client.invalidateQueries({ queryKey: ["issue", projectId] });
    },
  });
}

/** The error message for one side of the relations, whichever of its ids it is about. */
export function relationError(error: unknown, side: Side): string | undefined {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : undefined;
  const field = Object.keys(error.errors).find((name) => name === side || name.startsWith(`${side}.`));
  return field === undefined ? error.message : error.messageFor(field);
}
