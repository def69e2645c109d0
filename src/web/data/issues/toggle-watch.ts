import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import type { IssueWatch } from "../../../shared/notifications.ts";
import { api } from "../../api/client.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";

/** Watches an issue, or stops watching it, optimistically. */
export function useToggleWatch({ id, key, project_id }: Issue) {
  const client = useQueryClient();
  const path = `/api/projects/${project_id}/issues/${id}/watch`;
  return useMutation({
    mutationFn: (_watching: boolean) => api.post<IssueWatch>(path),
    onMutate: (watching) => patchEverywhere(client, "issue", id, { watching: !watching }),
    onError: (error, watching, undo) => {
      undo?.();
      showFailure(watching ? `You still watch ${key}` : `You don’t watch ${key}`, error);
    },
    onSuccess: ({ watching }) => void patchEverywhere(client, "issue", id, { watching }),
  });
}
