import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import type { IssueWatch } from "../../../shared/notifications.ts";
import { allPages } from "../../api/all-pages.ts";
import { api } from "../../api/client.ts";
import { useOptimistic } from "../cache/use-optimistic.ts";

const groupPath = (projectId: number, id: number) => `/api/projects/${projectId}/error-groups/${id}`;

/** What happened to a group, oldest first; at most the first 1,000 changes. */
export const groupActivityQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "activity", id],
    queryFn: ({ signal }) =>
      allPages<ErrorGroupActivity>(`${groupPath(projectId, id)}/activity`, 1_000, signal),
  });

/** Events change a group every second, but not who watches it, so this has a key of its own. */
export const groupWatchKey = (projectId: number, id: number) => ["error_watch", projectId, id];

/** Whether the user watches the group, and how to change that. */
export function useGroupWatch(projectId: number, id: number) {
  const path = `${groupPath(projectId, id)}/watch`;
  const key = groupWatchKey(projectId, id);
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<IssueWatch>(path, signal),
  });
  const { mutate } = useOptimistic<boolean, IssueWatch>({
    key,
    send: (watching) => api.put<IssueWatch>(path, { watching }),
    patch: (client, watching) => {
      client.setQueryData(key, { watching });
      return () => client.setQueryData(key, { watching: !watching });
    },
    onAnswer: (client, answer) => client.setQueryData(key, answer),
    failed: (watching) => (watching ? "You don’t watch this error" : "You still watch this error"),
  });
  return { watching: data?.watching, set: mutate };
}
