import type { Issue } from "../../../shared/issues.ts";
import type { IssueWatch } from "../../../shared/notifications.ts";
import { api } from "../../api/client.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { useOptimistic } from "../cache/use-optimistic.ts";

/** Watches an issue, or stops watching it; the input says whether the user watches it now. */
export function useToggleWatch({ id, key, project_id }: Issue) {
  return useOptimistic<boolean, IssueWatch>({
    // Not the issue's key: the answer has only this field, so reading the issue must not be canceled.
    key: ["issue", project_id, "watch", id],
    send: () => api.post<IssueWatch>(`/api/projects/${project_id}/issues/${id}/watch`),
    patch: (client, watching) => patchEverywhere(client, "issue", id, { watching: !watching }),
    onAnswer: (client, { watching }) => void patchEverywhere(client, "issue", id, { watching }),
    failed: (watching) => (watching ? `You still watch ${key}` : `You don’t watch ${key}`),
  });
}
