import { Link } from "@tanstack/react-router";
import { Clock, SearchX } from "lucide-react";
import { Button, buttonClass } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Kbd } from "../kit/kbd.tsx";
import type { Inbox } from "./use-inbox.ts";

/** Everything is read, there are no notifications yet, or none match the filters. */
export function EmptyInbox({ inbox }: { inbox: Inbox }) {
  return (
    <div id="inbox-empty" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <Message inbox={inbox} />
    </div>
  );
}

function Message({ inbox: { all, snoozed, type, project, go } }: { inbox: Inbox }) {
  if (type !== undefined || project !== undefined)
    return (
      <EmptyState
        icon={SearchX}
        title="No matching notifications"
        text={`No ${all ? "" : snoozed ? "snoozed " : "unread "}notifications match these filters.`}
        action={
          <Button onClick={() => go(all ? { filter: "all" } : snoozed ? { filter: "snoozed" } : {})}>
            Clear filters
          </Button>
        }
      />
    );
  if (snoozed)
    return (
      <EmptyState
        icon={Clock}
        title="Nothing is snoozed"
        text={
          <>
            Press <Kbd keys="z" /> on a notification to hide it until later.
          </>
        }
      />
    );
  if (all)
    return (
      <EmptyState
        drawing="inbox"
        title="No notifications yet"
        text="Assignments, mentions and activity on issues you watch appear here."
        action={
          <Link to="/settings/notifications" className={buttonClass()}>
            Notification settings
          </Link>
        }
      />
    );
  return (
    <EmptyState
      drawing="inbox"
      title="Inbox zero"
      text="You have no unread notifications. New ones appear here automatically."
      action={
        <Link to="/notifications" search={{ filter: "all" }} className={buttonClass()}>
          Show all notifications
        </Link>
      }
    />
  );
}
