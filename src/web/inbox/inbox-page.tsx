import { MousePointerClick } from "lucide-react";
import { useState } from "react";
import { QueryError } from "../page/query-error.tsx";
import { useCommand, usePaletteCommand } from "../keys/commands.ts";
import { EmptyState } from "../kit/empty-state.tsx";
import { countOf } from "../kit/count-text.ts";
import { Kbd } from "../kit/kbd.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { LazyPopup } from "../kit/lazy-popup.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { SplitView } from "../lists/split-view.tsx";
import { useListKeys } from "../lists/use-list-keys.ts";
import { EmptyInbox } from "./empty-inbox.tsx";
import { canReopen, commandTargets, nounFor } from "./inbox-commands.ts";
import { InboxHeader } from "./inbox-header.tsx";
import { InboxItem } from "./inbox-item.tsx";
import { InboxList } from "./inbox-list.tsx";
import type { Group } from "./groups.ts";
import { useInbox, type Inbox } from "./use-inbox.ts";
import { useStopWatching } from "../data/inbox/use-stop-watching.ts";

const SnoozeDialog = lazyPart(async () => (await import("./snooze-dialog.tsx")).SnoozeDialog);

/** The notifications, and beside them the one that is open. */
export function InboxPage() {
  const inbox = useInbox();
  const [snoozing, setSnoozing] = useState<readonly Group[]>([]);
  useInboxCommands(inbox, setSnoozing);
  const { query, shown, item, openGroup, openEntry } = inbox;
  const list =
    inbox.entries === undefined ? (
      query.isError ? (
        <QueryError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Skeleton rows={8} lines={2} label="Loading the inbox" />
      )
    ) : shown.length === 0 && !query.hasNextPage ? (
      <EmptyInbox inbox={inbox} />
    ) : (
      <InboxList inbox={inbox} onSnooze={setSnoozing} />
    );
  return (
    <div className="flex h-[calc(100dvh-48px-var(--messages,0px))] min-h-96 min-w-0 flex-col md:h-[calc(100dvh-var(--messages,0px))] short:h-auto">
      <InboxHeader inbox={inbox} />
      <SplitView
        label="Notification"
        opened={openGroup?.key}
        list={<div className="@container flex min-h-0 flex-1 flex-col">{list}</div>}
        preview={
          item === undefined || inbox.entries === undefined ? null : (
            <InboxItem
              key={openGroup?.key}
              inbox={inbox}
              group={openGroup}
              entry={openEntry}
              onSnooze={() => openGroup && setSnoozing([openGroup])}
            />
          )
        }
        empty={shown.length > 0 ? <NoEntryOpen /> : undefined}
      />
      {snoozing.length > 0 && (
        <LazyPopup open onCancel={() => setSnoozing([])}>
          <SnoozeDialog
            open
            what={countOf(snoozing.flatMap(({ entries }) => entries).length, "notification")}
            onClose={() => setSnoozing([])}
            onSnooze={(until) => {
              inbox.snooze(snoozing, until);
              setSnoozing([]);
            }}
          />
        </LazyPopup>
      )}
    </div>
  );
}

function useInboxCommands(inbox: Inbox, onSnooze: (groups: readonly Group[]) => void) {
  const { list, openGroup, snoozed } = inbox;
  const { target, targets } = commandTargets({ selected: list.selected, current: list.current, openGroup });
  const noun = nounFor(targets);
  const stopWatching = useStopWatching(target?.entries[0]);
  useListKeys(list, {
    noun: "notification",
    onOpen: ({ id }) => list.open(id),
    maySelect: () => true,
  });
  useCommand("resolve", () => inbox.markRead(targets), {
    enabled: targets.length > 0,
    label: `Mark ${noun} as read`,
  });
  useCommand("reopen", () => (snoozed ? inbox.wake(targets) : inbox.markUnread(targets)), {
    enabled: canReopen(targets, snoozed),
    label: snoozed ? `Return ${noun} to the inbox` : `Mark ${noun} as unread`,
  });
  useCommand("snooze", () => onSnooze(targets), {
    enabled: targets.length > 0,
    label: `Snooze ${noun}`,
  });
  useCommand("stopWatching", () => stopWatching?.run(), {
    enabled: stopWatching !== undefined,
    ...(stopWatching && { label: stopWatching.label }),
  });
  useCommand("remove", () => inbox.remove(targets), {
    enabled: targets.length > 0,
    label: `Delete ${noun}`,
  });
  usePaletteCommand("inbox-read-all", "Mark all notifications as read", () => void inbox.readAll());
}

/** Shown beside the list while no entry is open. */
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
