import { Bell, BellRing } from "lucide-react";
import type { Issue } from "../../../shared/issues.ts";
import { usePaletteCommand } from "../../keys/commands.ts";
import { Button } from "../../kit/button.tsx";
import { announce } from "../../kit/notices/live-region.ts";
import { useToggleWatch } from "../../data/issues/toggle-watch.ts";

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
