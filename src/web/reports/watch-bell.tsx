import { useQuery } from "@tanstack/react-query";
import { Bell, BellRing } from "lucide-react";
import { useProfile } from "../data/account/session.ts";
import { announce } from "../kit/notices/live-region.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { useToggleWatch, watchersQuery } from "../data/reports/reports.ts";

/** Toggles notifications about new reports and errors. */
export function WatchBell({ projectId }: { projectId: number }) {
  const me = useProfile().id;
  const { data } = useQuery(watchersQuery(projectId));
  const toggle = useToggleWatch(projectId, me);
  const watching = data?.report_watcher_ids.includes(me) ?? false;
  return (
    <IconButton
      label="Notify me about new reports and errors"
      icon={watching ? BellRing : Bell}
      aria-pressed={watching}
      disabled={data === undefined}
      busy={toggle.isPending}
      onClick={() => {
        toggle.mutate();
        announce(
          watching
            ? "Notifications about new reports and errors are off."
            : "Notifications about new reports and errors are on.",
        );
      }}
    />
  );
}
