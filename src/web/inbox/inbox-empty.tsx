import { Link } from "@tanstack/react-router";
import { CheckCheck, Inbox as InboxIcon, SearchX } from "lucide-react";
import { Button, buttonClass } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import type { Inbox } from "./use-inbox.ts";

/** Nothing is left, nothing came yet, or nothing is like what was asked for. */
export function InboxEmpty({ inbox }: { inbox: Inbox }) {
  return (
    <div id="inbox-empty" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto">
      <Words inbox={inbox} />
    </div>
  );
}

function Words({ inbox: { all, type, project, go } }: { inbox: Inbox }) {
  if (type !== undefined || project !== undefined)
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing like that"
        text={`No ${all ? "" : "unread "}notification is of this type and project.`}
        action={<Button onClick={() => go(all ? { filter: "all" } : {})}>Clear filters</Button>}
      />
    );
  if (all)
    return (
      <EmptyState
        icon={InboxIcon}
        title="Nothing came yet"
        text="You are told here when you are assigned or mentioned, and of what happens on issues you watch."
        action={
          <Link to="/settings/notifications" className={buttonClass()}>
            What you are told
          </Link>
        }
      />
    );
  return (
    <EmptyState
      icon={CheckCheck}
      title="Inbox zero"
      text="You have read everything. What happens next appears here by itself."
      action={
        <Link to="/notifications" search={{ filter: "all" }} className={buttonClass()}>
          Show what you have read
        </Link>
      }
    />
  );
}
