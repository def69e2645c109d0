import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronRight } from "lucide-react";
import type { KeyboardEvent } from "react";
import type { Notification } from "../../shared/notifications.ts";
import { Avatar } from "../kit/avatar.tsx";
import { cx } from "../kit/cx.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { RowCheckbox } from "../lists/row-checkbox.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { Time } from "../kit/dates/time.tsx";
import type { ListRowProps } from "../lists/virtual-list.tsx";
import type { Group } from "./groups.ts";
import { KINDS } from "./kinds.ts";
import { Thumbnail } from "../reports/thumbnail.tsx";

type Search = { filter?: string; type?: string; project?: string; item: string };

type Props = {
  group: Group;
  /** Counts unread entries that are not loaded as well. */
  unread: number;
  source: string;
  search: Search;
  snoozed: boolean;
  current: boolean;
  selected: boolean;
  /** Undefined if there are no further entries to show. */
  expanded: boolean | undefined;
  onExpand: (expanded: boolean) => void;
  onToggle: (range: boolean) => void;
  row: ListRowProps;
};

/** A thing and its newest entry: who did what, where, and the words of the comment. → shows the earlier entries. */
export function InboxRow(props: Props) {
  const { group, unread, source, search, snoozed, current, selected, expanded, onExpand, onToggle, row } =
    props;
  const [entry] = group.entries;
  const { thumbnail_id, report_id } = entry;
  const at = snoozed ? entry.snoozed_until : entry.created_at;
  const onKeyDown = (event: KeyboardEvent) => {
    if (expanded !== undefined && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
      event.preventDefault();
      onExpand(event.key === "ArrowRight");
    } else row.onKeyDown(event);
  };
  return (
    <Row
      lines={2}
      current={current}
      selected={selected}
      checkbox={
        <RowCheckbox name={entry.message} tabIndex={row.tabIndex} selected={selected} onToggle={onToggle} />
      }
      end={
        <>
          {thumbnail_id !== null && report_id !== null && (
            <Thumbnail projectId={projectOf(entry)} reportId={report_id} image={thumbnail_id} />
          )}
          {unread > 1 && (
            <span
              className={cx(
                "rounded-full px-1.5 text-sm font-medium text-accent-text",
                // A selected row has the tint itself.
                current || selected ? "bg-surface" : "bg-accent-tint",
              )}
            >
              {unread}
              <span className="sr-only"> unread</span>
            </span>
          )}
          <Time at={at} as="short" className="text-sm text-text-3 @max-[480px]:hidden" />
          {expanded === undefined ? (
            // Keeps the times in one column, and in a narrow list the counts.
            <span className={cx("-me-2 w-7", unread <= 1 && "@max-[480px]:hidden")} />
          ) : (
            <IconButton
              size="sm"
              icon={expanded ? ChevronDown : ChevronRight}
              label={`${expanded ? "Hide" : "Show"} earlier: ${entry.message}`}
              aria-expanded={expanded}
              tabIndex={row.tabIndex}
              className="-me-2"
              onClick={() => onExpand(!expanded)}
            />
          )}
        </>
      }
    >
      <EntryText
        entry={entry}
        at={at}
        unread={group.unread > 0}
        source={source}
        search={search}
        current={current}
        link={{ ...row, onKeyDown }}
      />
    </Row>
  );
}

/** The project of an entry about a report. */
const projectOf = ({ notifiable }: Notification): number =>
  "project_id" in notifiable ? notifiable.project_id : notifiable.id;

/** An earlier entry of an expanded group. */
export function EarlierRow({ entry, search, open }: { entry: Notification; search: Search; open: boolean }) {
  return (
    <Row
      lines={2}
      selected={open}
      className="ps-14"
      end={<Time at={entry.created_at} as="short" className="text-sm text-text-3 @max-[480px]:hidden" />}
    >
      <EntryText
        entry={entry}
        at={entry.created_at}
        unread={entry.read_at === null}
        source={KINDS[entry.type].name}
        search={search}
        current={open}
      />
    </Row>
  );
}

function EntryText({
  entry,
  at,
  unread,
  source,
  search,
  current,
  link,
}: {
  entry: Notification;
  /** Shown here in a narrow list, where the end of the row has no room for it. */
  at: string | null;
  unread: boolean;
  /** Shown if the entry has no excerpt. */
  source: string;
  search: Search;
  current: boolean;
  link?: ListRowProps;
}) {
  const { icon: Icon } = KINDS[entry.type];
  return (
    <>
      <span
        aria-hidden
        className={cx(
          "-me-1 size-2 shrink-0 rounded-full",
          unread ? "bg-accent forced-colors:bg-[Highlight]" : "",
        )}
      />
      {entry.actor ? (
        <Avatar person={entry.actor} size={24} />
      ) : (
        <span className="flex size-6 shrink-0 items-center justify-center text-text-3">
          <Icon aria-hidden size={16} />
        </span>
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <Link
          to="/notifications"
          search={search}
          replace
          title={entry.message}
          className={cx("block", rowLink, !unread && "font-normal text-text-2")}
          aria-current={current || undefined}
          draggable={false}
          {...link}
        >
          {unread && <span className="sr-only">Unread: </span>}
          <RowText>{entry.message}</RowText>
        </Link>
        <p className="flex min-w-0 items-center gap-1.5 text-sm text-text-3">
          {entry.actor && <Icon aria-hidden size={12} className="shrink-0" />}
          {entry.excerpt ? (
            <RowText className="truncate text-text-2">{entry.excerpt}</RowText>
          ) : (
            <RowText className="truncate">{source}</RowText>
          )}
          <span className="ms-auto shrink-0 ps-1 @min-[480px]:hidden">
            <Time at={at} as="short" />
          </span>
        </p>
      </div>
    </>
  );
}
