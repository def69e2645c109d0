import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { IssueWatch } from "../../../shared/notifications.ts";
import { Bell, BellRing } from "lucide-react";
import type { Issue } from "../../../shared/issues.ts";
import { api, messageOf } from "../../api/client.ts";
import { usePaletteCommand } from "../../keys/commands.ts";
import { Button } from "../../kit/button.tsx";
import { announce } from "../../kit/live-region.ts";
import { toast } from "../../kit/toast.ts";
import { patchEverywhere } from "../../data/patch-everywhere.ts";

/** Toggles notifications about the comments and status changes of an issue. */
export function WatchButton({ issue }: { issue: Issue }) {
  const watch = useToggleWatch(issue);
  const toggle = () => {
    if (watch.isPending) return;
    announce(issue.watching ? "No longer watching" : "Watching");
    watch.mutate();
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

function useToggleWatch({ id, project_id }: Issue) {
  const client = useQueryClient();
  const path = `/api/projects/${project_id}/issues/${id}/watch`;
  return useMutation({
    mutationFn: () => api.post<IssueWatch>(path),
    onMutate: () => patchEverywhere(client, "issue", id, ({ watching }) => ({ watching: !watching })),
    onError: (error, _nothing, undo) => {
      undo?.();
      toast({ title: messageOf(error), tone: "danger" });
    },
    onSuccess: ({ watching }) => void patchEverywhere(client, "issue", id, { watching }),
  });
}
