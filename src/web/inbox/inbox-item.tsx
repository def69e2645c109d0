import {
  BellOff,
  CheckCheck,
  Clock,
  FileQuestionMark,
  Inbox as InboxIcon,
  Mail,
  Trash2,
  X,
} from "lucide-react";
import type { Notification } from "../../shared/notifications.ts";
import { nameOf } from "../data/projects/people.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Time } from "../kit/dates/time.tsx";
import { InboxTarget } from "./inbox-target.tsx";
import type { Group } from "./groups.ts";
import { KINDS } from "./kinds.ts";
import type { Inbox } from "./use-inbox.ts";
import { useStopWatching } from "../data/inbox/use-stop-watching.ts";

type Props = {
  inbox: Inbox;
  group: Group | undefined;
  /** The entry of the group whose message is shown. */
  entry: Notification | undefined;
  onSnooze: () => void;
};

/** The open group: the message of one entry, the actions on the group, and the thing itself. */
export function InboxItem({ inbox, group, entry, onSnooze }: Props) {
  const close = <IconButton label="Close preview" shortcut="Escape" icon={X} onClick={inbox.list.close} />;
  if (entry === undefined || group === undefined)
    return (
      <>
        <div className="flex justify-end p-2">{close}</div>
        <EmptyState
          icon={FileQuestionMark}
          title="This notification is not in the list"
          text="It may have been deleted, or it does not match the filters."
          action={<Button onClick={() => inbox.go({ filter: "all" })}>Show all notifications</Button>}
        />
      </>
    );
  const { name, icon } = KINDS[entry.type];
  return (
    <>
      <header className="sticky top-0 z-10 border-b border-line bg-surface px-4 py-3">
        <div className="flex flex-wrap items-center gap-2">
          <span className="me-auto">
            <Badge icon={icon}>{name}</Badge>
          </span>
          <GroupActions inbox={inbox} group={group} entry={entry} onSnooze={onSnooze} />
          {close}
        </div>
        <h2
          dir="auto"
          id="inbox-item"
          tabIndex={-1}
          className="mt-2 text-title font-semibold [overflow-wrap:anywhere]"
        >
          {entry.message}
        </h2>
        <p className="mt-1 flex items-center gap-1.5 text-sm text-text-3">
          {entry.actor && (
            <>
              <Avatar person={entry.actor} size={16} />
              <span className="truncate">{nameOf(entry.actor)}</span>
              <span aria-hidden>·</span>
            </>
          )}
          <Time at={entry.created_at} className="shrink-0" />
        </p>
      </header>
      <InboxTarget entry={entry} onFollow={() => inbox.follow(entry)} />
    </>
  );
}

function GroupActions({ inbox, group, entry, onSnooze }: Props & { group: Group }) {
  const stopWatching = useStopWatching(entry);
  return (
    <>
      {group.unread > 0 ? (
        <Button
          size="sm"
          variant="primary"
          icon={CheckCheck}
          shortcut="e"
          onClick={() => inbox.markRead([group])}
        >
          Mark as read
        </Button>
      ) : (
        <Button size="sm" icon={Mail} shortcut="u" onClick={() => inbox.markUnread([group])}>
          Mark as unread
        </Button>
      )}
      {inbox.snoozed ? (
        <Button size="sm" icon={InboxIcon} shortcut="u" onClick={() => inbox.wake([group])}>
          Return to inbox
        </Button>
      ) : (
        <IconButton label="Snooze" shortcut="z" icon={Clock} onClick={onSnooze} />
      )}
      {stopWatching && (
        <IconButton label={stopWatching.label} shortcut="shift+m" icon={BellOff} onClick={stopWatching.run} />
      )}
      <IconButton
        label={
          group.entries.length > 1 ? `Delete ${group.entries.length} notifications` : "Delete notification"
        }
        shortcut="Backspace"
        icon={Trash2}
        onClick={() => inbox.remove([group])}
      />
    </>
  );
}
