import { ArrowUp, CheckCheck, MailOpen, Trash2 } from "lucide-react";
import { useEffect } from "react";
import { useProjects } from "../data/projects.ts";
import { Button } from "../kit/button.tsx";
import { SelectionBar } from "../lists/selection-bar.tsx";
import { VirtualList } from "../lists/virtual-list.tsx";
import { InboxRow } from "./inbox-row.tsx";
import type { Inbox } from "./use-inbox.ts";

/** The entries, new ones that wait to be shown, and the actions for the selected ones. */
export function InboxList({ inbox }: { inbox: Inbox }) {
  const { shown, list, query, newEntries } = inbox;
  const { current, selected } = list;
  const projects = useProjects();
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const index = current === undefined ? 0 : shown.indexOf(current);
  const nearEnd = index >= shown.length - 10;
  useEffect(() => {
    if (nearEnd && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [nearEnd, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  return (
    <>
      <p
        role="status"
        className={newEntries.count > 0 ? "flex justify-center border-b border-line p-1" : "sr-only"}
      >
        {newEntries.count > 0 && (
          <Button
            size="sm"
            variant="primary"
            icon={ArrowUp}
            className="rounded-full"
            onClick={() => {
              newEntries.show();
              list.handle.current?.scrollToTop();
            }}
          >
            {`${newEntries.count} new`}
          </Button>
        )}
      </p>
      <VirtualList
        label="Notifications"
        items={shown}
        itemKey={idOf}
        rowHeight={64}
        list={list}
        renderRow={(entry, row) => (
          <InboxRow
            entry={entry}
            source={sourceOf(entry, names)}
            search={{ ...inbox.filters, item: String(entry.id) }}
            current={entry.id === current?.id}
            selected={list.isSelected(entry.id)}
            onToggle={(range) => list.toggle(entry.id, range)}
            row={row}
          />
        )}
      />
      {hasNextPage && (
        <div className="flex justify-center border-t border-line p-2">
          <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older notifications
          </Button>
        </div>
      )}
      <SelectionBar count={selected.length} noun="notification" onClear={list.clearSelection}>
        <Button icon={CheckCheck} variant="primary" shortcut="e" onClick={() => inbox.markRead(selected)}>
          Mark as read
        </Button>
        {selected.some(({ read_at }) => read_at !== null) && (
          <Button icon={MailOpen} shortcut="u" onClick={() => inbox.markUnread(selected)}>
            Mark as unread
          </Button>
        )}
        <Button icon={Trash2} shortcut="Backspace" onClick={() => inbox.remove(selected)}>
          Delete
        </Button>
      </SelectionBar>
    </>
  );
}

/** The issue, project or team that an entry is about. */
function sourceOf({ notifiable }: Inbox["shown"][number], names: ReadonlyMap<number, string>): string {
  if (notifiable.type !== "issue") return notifiable.name;
  const project = names.get(notifiable.project_id);
  return project === undefined ? notifiable.key : `${notifiable.key} · ${project}`;
}

const idOf = ({ id }: Inbox["shown"][number]) => id;
