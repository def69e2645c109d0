import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { IssueWatch } from "../../../shared/notifications.ts";
import { Bell, BellRing } from "lucide-react";
import type { Issue } from "../../../shared/issues.ts";
import { api } from "../../api/client.ts";
import { usePaletteCommand } from "../../keys/commands.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { Button } from "../../kit/button.tsx";
import { announce } from "../../kit/live-region.ts";
import { patchEverywhere } from "../../data/patch-everywhere.ts";

/** Toggles notifications about the comments and status changes of an issue. */
export function WatchButton({ issue }: { issue: Issue }) {
  const watch = useToggleWatch(issue);
  const toggle = () => {
    if (watch.isPending) return;
    announce(issue.watching ? "No longer watching" : "Watching");
    watch.mutate(issue.watching);
  };
  const verb = issue.watching ? "Stop watching" : "Watch";
  usePaletteCommand("watch-issue", `${verb} ${issue.key}`, toggle);
  return (
    <Button
      aria-pressed={issue.watching}
      icon={issue.watching ? BellRing : Bell}
      className="aria-pressed:bg-selected aria-pressed:text-accent-text"
      title={
        issue.watching
          ? "You get notified about comments and status changes"
          : "Get notified about comments and status changes"
      }
      onClick={toggle}
    >
      {issue.watching ? "Watching" : "Watch"}
    </Button>
  );
}

function useToggleWatch({ id, key, project_id }: Issue) {
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
