import { MousePointerClick } from "lucide-react";
import { QueryError } from "../page/query-error.tsx";
import { useCommand, usePaletteCommand } from "../keys/commands.ts";
import { EmptyState } from "../kit/empty-state.tsx";
import { Kbd } from "../kit/kbd.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { SplitView } from "../lists/split-view.tsx";
import { useListKeys } from "../lists/use-list-keys.ts";
import { EmptyInbox } from "./empty-inbox.tsx";
import { InboxHeader } from "./inbox-header.tsx";
import { InboxItem } from "./inbox-item.tsx";
import { InboxList } from "./inbox-list.tsx";
import { useInbox, type Inbox } from "./use-inbox.ts";

/** The notifications, and beside them the one that is open. */
export function InboxPage() {
  const inbox = useInbox();
  useInboxCommands(inbox);
  const { query, shown, item, openEntry } = inbox;
  const list =
    inbox.entries === undefined ? (
      query.isError ? (
        <QueryError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Skeleton rows={8} height={64} label="Loading the inbox" />
      )
    ) : shown.length === 0 && !query.hasNextPage ? (
      <EmptyInbox inbox={inbox} />
    ) : (
      <InboxList inbox={inbox} />
    );
  return (
    <div className="flex h-[calc(100dvh-3rem)] min-h-96 min-w-0 flex-col md:h-dvh short:h-auto">
      <InboxHeader inbox={inbox} />
      <SplitView
        label="Notification"
        opened={openEntry?.id}
        list={list}
        preview={
          item === undefined || inbox.entries === undefined ? null : (
            <InboxItem key={openEntry?.id} inbox={inbox} entry={openEntry} />
          )
        }
        empty={shown.length > 0 && <NoEntryOpen />}
      />
    </div>
  );
}

function useInboxCommands(inbox: Inbox) {
  const { list, openEntry } = inbox;
  const { selected } = list;
  const target = openEntry ?? list.current;
  const targets = selected.length > 0 ? selected : target ? [target] : [];
  const many = targets.length > 1 ? ` ${targets.length} notifications` : " notification";
  useListKeys(list, {
    noun: "notification",
    onOpen: ({ id }) => list.open(id),
    maySelect: () => true,
  });
  useCommand("resolve", () => inbox.markRead(targets), {
    enabled: targets.length > 0,
    label: `Mark${many} as read`,
  });
  useCommand("reopen", () => inbox.markUnread(targets), {
    enabled: targets.some(({ read_at }) => read_at !== null),
    label: `Mark${many} as unread`,
  });
  useCommand("remove", () => inbox.remove(targets), {
    enabled: targets.length > 0,
    label: `Delete${many}`,
  });
  usePaletteCommand("inbox-read-all", "Mark all notifications as read", () => void inbox.readAll());
}

/** Beside the list while no entry is open. */
function NoEntryOpen() {
  return (
    <EmptyState
      icon={MousePointerClick}
      title="No notification open"
      text={
        <>
          Press <Kbd keys="j" /> or <Kbd keys="k" /> to move, <Kbd keys="Enter" /> to open, <Kbd keys="e" />{" "}
          to mark as read.
        </>
      }
    />
  );
}
