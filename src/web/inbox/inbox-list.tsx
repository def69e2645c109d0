import { ArrowUp, CheckCheck, MailOpen, Trash2 } from "lucide-react";
import { type KeyboardEvent, useEffect } from "react";
import { useProjects } from "../data/projects.ts";
import { Button } from "../kit/button.tsx";
import { SelectionBar } from "../lists/selection-bar.tsx";
import { VirtualList } from "../lists/virtual-list.tsx";
import { InboxRow } from "./inbox-row.tsx";
import type { Inbox } from "./use-inbox.ts";

/** The entries, what has come in meanwhile, and what can be done with those that are ticked. */
export function InboxList({ inbox }: { inbox: Inbox }) {
  const { shown, selection, active, ticked, query, arrivals } = inbox;
  const projects = useProjects();
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const nearEnd = inbox.activeIndex >= shown.length - 10;
  useEffect(() => {
    if (nearEnd && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [nearEnd, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    inbox.step(event.key === "ArrowDown" ? 1 : -1);
  };
  return (
    <>
      <p
        role="status"
        className={arrivals.waiting > 0 ? "flex justify-center border-b border-line p-1" : "sr-only"}
      >
        {arrivals.waiting > 0 && (
          <Button
            size="sm"
            variant="primary"
            icon={ArrowUp}
            className="rounded-full"
            onClick={() => {
              arrivals.take();
              inbox.list.current?.scrollToIndex(0);
            }}
          >
            {`${arrivals.waiting} new`}
          </Button>
        )}
      </p>
      <VirtualList
        handle={inbox.list}
        label="Notifications"
        items={shown}
        itemKey={({ id }) => id}
        rowHeight={64}
        activeIndex={inbox.activeIndex}
        onActiveChange={(index) => inbox.setFocused(shown[index]?.id ?? null)}
        renderRow={(entry, _index, row) => (
          <InboxRow
            entry={entry}
            place={placeOf(entry, names)}
            search={{ ...inbox.filters, item: String(entry.id) }}
            current={entry.id === active?.id}
            selected={ticked.has(entry.id)}
            onSelect={inbox.tick}
            onKeyDown={onKeyDown}
            row={row}
          />
        )}
      />
      {hasNextPage && (
        <div className="flex justify-center border-t border-line p-2">
          <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older ones
          </Button>
        </div>
      )}
      <SelectionBar count={selection.length} noun="notification" onClear={inbox.untick}>
        <Button icon={CheckCheck} variant="primary" shortcut="e" onClick={() => inbox.markRead(selection)}>
          Mark read
        </Button>
        {selection.some(({ read_at }) => read_at !== null) && (
          <Button icon={MailOpen} shortcut="u" onClick={() => inbox.markUnread(selection)}>
            Mark unread
          </Button>
        )}
        <Button icon={Trash2} shortcut="Backspace" onClick={() => inbox.remove(selection)}>
          Delete
        </Button>
      </SelectionBar>
    </>
  );
}

/** Where it happened. */
function placeOf({ notifiable }: Inbox["shown"][number], names: ReadonlyMap<number, string>): string {
  if (notifiable.type !== "issue") return notifiable.name;
  const project = names.get(notifiable.project_id);
  return project === undefined ? notifiable.key : `${notifiable.key} · ${project}`;
}
