import { Link } from "@tanstack/react-router";
import type { Notification } from "../../shared/notifications.ts";
import { Avatar } from "../kit/avatar.tsx";
import { cx } from "../kit/cx.ts";
import { RowCheckbox } from "../lists/row-checkbox.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { Time } from "../kit/time.tsx";
import type { ListRowProps } from "../lists/virtual-list.tsx";
import { KINDS } from "./kinds.ts";

type Props = {
  entry: Notification;
  source: string;
  search: { filter?: string; type?: string; project?: string; item: string };
  current: boolean;
  selected: boolean;
  onToggle: (range: boolean) => void;
  row: ListRowProps;
};

/** An entry of the inbox: who did what, and where. */
export function InboxRow({ entry, source, search, current, selected, onToggle, row }: Props) {
  const { name, icon: Icon } = KINDS[entry.type];
  const unread = entry.read_at === null;
  return (
    <Row
      height={64}
      current={current}
      selected={selected}
      checkbox={
        <RowCheckbox name={entry.message} tabIndex={row.tabIndex} selected={selected} onToggle={onToggle} />
      }
      end={<Time at={entry.created_at} className="text-sm text-text-3" />}
    >
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
          {...row}
        >
          {unread && <span className="sr-only">Unread: </span>}
          <RowText>{entry.message}</RowText>
        </Link>
        <p className="flex min-w-0 items-center gap-1.5 text-sm text-text-3">
          <Icon aria-hidden size={12} className="shrink-0" />
          <span className="shrink-0">{name}</span>
          <span aria-hidden>·</span>
          <RowText className="truncate">{source}</RowText>
        </p>
      </div>
    </Row>
  );
}
