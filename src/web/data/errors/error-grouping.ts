import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Grouping } from "../../../shared/error-grouping.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { api, ApiError } from "../../api/client.ts";
import { toast } from "../../kit/notices/toast.ts";

const groupPath = (projectId: number, id: number) => `/api/projects/${projectId}/error-groups/${id}`;

/** How the events of a group are grouped, similar groups, and the fingerprints that were merged into it. */
export const groupingQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "grouping", id],
    queryFn: ({ signal }) => api.get<Grouping>(`${groupPath(projectId, id)}/grouping`, signal),
  });

type Target = { projectId: number; id: number };

/** Merges other groups into the group. Rejects with a message about the other groups. */
export function useMergeGroups() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ projectId, id, ids }: Target & { ids: number[] }) =>
      api
        .post<ErrorGroup>(`${groupPath(projectId, id)}/merge`, { error_group_ids: ids })
        .catch((error: unknown) => {
          const [refusal] = (error instanceof ApiError && error.errors["error_group_ids"]) || [];
          throw refusal === undefined ? error : new Error(`The other errors ${refusal}.`);
        }),
    onSuccess: (group, { ids }) => {
      client.setQueryData(["error_group", group.project_id, "one", group.id], group);
      const what = ids.length === 1 ? "1 error" : `${ids.length} errors`;
      toast({ title: `${what} merged into ${group.exception_class}`, tone: "success" });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["error_group"] }),
  });
}

/** Splits a merged fingerprint off the group. Rejects with the server's message. */
export function useSplitGroup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ projectId, id, fingerprint }: Target & { fingerprint: string }) =>
      api.post<ErrorGroup>(`${groupPath(projectId, id)}/unmerge`, { fingerprints: [fingerprint] }),
    onSuccess: (group) => {
      client.setQueryData(["error_group", group.project_id, "one", group.id], group);
      toast({ title: "Fingerprint split off", tone: "success" });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["error_group"] }),
  });
}
