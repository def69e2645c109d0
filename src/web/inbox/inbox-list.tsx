import { ArrowUp, CheckCheck, Clock, MailOpen, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useProjects } from "../data/projects/projects.ts";
import { Button } from "../kit/button.tsx";
import type { Notification } from "../../shared/notifications.ts";
import { SelectionBar } from "../lists/selection-bar.tsx";
import { VirtualList } from "../lists/virtual-list.tsx";
import type { Group } from "./groups.ts";
import { EarlierRow, InboxRow } from "./inbox-row.tsx";
import { sourceText } from "./source-text.ts";
import type { Inbox } from "./use-inbox.ts";

type Props = { inbox: Inbox; onSnooze: (groups: readonly Group[]) => void };

/** A row of the list: a group, or an earlier entry of an expanded one. */
type Item = { group: Group; entry?: Notification };

/** The groups, new entries that wait to be shown, and the actions for the selected ones. */
export function InboxList({ inbox, onSnooze }: Props) {
  const { groups, list, query } = inbox;
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const expand = (key: string, on: boolean) =>
    setExpanded((before) => new Set([...before].filter((one) => one !== key).concat(on ? [key] : [])));
  const items = groups.flatMap((group): Item[] => [
    { group },
    ...(expanded.has(group.key) ? group.entries.slice(1).map((entry) => ({ group, entry })) : []),
  ]);
  const { current } = list;
  const names = new Map(useProjects().map(({ id, name }) => [id, name]));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const index = current === undefined ? 0 : groups.indexOf(current);
  const nearEnd = index >= groups.length - 10;
  /** Unread entries of the group are on pages that are not loaded. */
  const isIncomplete = (group: Group) => inbox.unreadOf(group) > group.unread;
  const wantsMore = nearEnd || groups.some((group) => expanded.has(group.key) && isIncomplete(group));
  useMorePages(query, wantsMore);

  return (
    <>
      <NewEntries inbox={inbox} />
      <VirtualList
        label="Notifications"
        items={items}
        itemKey={keyOfItem}
        lines={2}
        list={list}
        renderRow={({ group, entry }, row) => {
          const { id } = entry ?? group;
          const search = { ...inbox.filters, item: String(id) };
          if (entry) return <EarlierRow entry={entry} search={search} open={entry === inbox.openEntry} />;
          return (
            <InboxRow
              group={group}
              unread={inbox.unreadOf(group)}
              source={sourceText(group.entries[0], names)}
              search={search}
              snoozed={inbox.snoozed}
              current={group === current}
              selected={list.isSelected(id)}
              expanded={group.entries.length > 1 || isIncomplete(group) ? expanded.has(group.key) : undefined}
              onExpand={(on) => expand(group.key, on)}
              onToggle={(range) => list.toggle(id, range)}
              row={row}
            />
          );
        }}
      />
      {hasNextPage && (
        <div className="flex justify-center border-t border-line p-2">
          <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older notifications
          </Button>
        </div>
      )}
      <SelectedGroups inbox={inbox} onSnooze={onSnooze} />
    </>
  );
}

/** Loads the next page while it is wanted. */
function useMorePages(query: Inbox["query"], isWanted: boolean) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isWanted, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
}

/** Says how many new entries wait, and shows them. */
function NewEntries({ inbox: { newEntries, list } }: Pick<Props, "inbox">) {
  return (
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
  );
}

function SelectedGroups({ inbox, onSnooze }: Props) {
  const { list } = inbox;
  const { selected } = list;
  return (
    <SelectionBar count={selected.length} noun="notification" onClear={list.clearSelection}>
      <Button icon={CheckCheck} variant="primary" shortcut="e" onClick={() => inbox.markRead(selected)}>
        Mark as read
      </Button>
      {selected.some(({ entries, unread }) => unread < entries.length) && (
        <Button icon={MailOpen} shortcut="u" onClick={() => inbox.markUnread(selected)}>
          Mark as unread
        </Button>
      )}
      <Button icon={Clock} shortcut="z" onClick={() => onSnooze(selected)}>
        Snooze
      </Button>
      <Button icon={Trash2} shortcut="Backspace" onClick={() => inbox.remove(selected)}>
        Delete
      </Button>
    </SelectionBar>
  );
}

/** Only groups take the cursor, so only they have a number. */
const keyOfItem = ({ group, entry }: Item) => (entry ? `entry ${entry.id}` : group.id);
