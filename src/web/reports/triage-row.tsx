import { Link } from "@tanstack/react-router";
import { EllipsisVertical, GripVertical, Hourglass, Paperclip, Users } from "lucide-react";
import { memo } from "react";
import type { ReportKind } from "../../shared/feedback.ts";
import type { Report, ReportView } from "../../shared/reports.ts";
import { AfterFirstFrame } from "../kit/after-first-frame.ts";
import { cx } from "../kit/cx.ts";
import { Badge } from "../kit/badge.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { RowCheckbox } from "../lists/row-checkbox.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { WaitingMark } from "../lists/waiting-mark.tsx";
import { DropLine } from "../lists/drop-line.tsx";
import { Time } from "../kit/dates/time.tsx";
import { useDraggableItem } from "../lists/use-draggable-item.ts";
import { type DropEdge, useDropTarget } from "../lists/use-drop-target.ts";
import type { ListRowProps } from "../lists/virtual-list.tsx";
import { ReportAuthor } from "./report-author.tsx";
import { firstWords } from "./first-words.ts";
import { Thumbnail } from "./thumbnail.tsx";
import { REPORT_KIND_MARKS } from "../marks/report-kind.ts";
import { reasonLabel } from "../data/reports/dismiss-reasons.ts";
import type { Author } from "./use-authors.ts";
import type { TriageSearch } from "./report-views.ts";

/** Stable functions, so that a row renders again only when it changes. */
export type RowActions = {
  onToggle: (id: number, range: boolean) => void;
  onDropped: (id: number, edge: DropEdge, target: number) => void;
  menu: (report: Report) => readonly MenuEntry[];
};

type Props = {
  report: Report;
  view: ReportView;
  projectKey: string;
  search: TriageSearch;
  author: Author;
  current: boolean;
  /** Of several waiting reports, the one that has waited longest. */
  oldest: boolean;
  selected: boolean;
  /** Whether it can be selected. */
  changeable: boolean;
  /** Whether it can be dragged to another position. */
  movable: boolean;
  actions: RowActions;
  row: ListRowProps;
};

/** A report of the queue, which can be dragged, selected and opened. */
export const TriageRow = memo(function TriageRow(props: Props) {
  const { report, search, author, changeable, movable, actions, row } = props;
  const id = String(report.id);
  const { ref: drag, dragging } = useDraggableItem({ kind: "report", id, disabled: !movable });
  const { ref: drop, edge } = useDropTarget({
    kind: "report",
    id,
    onDrop: (dragged, at) => actions.onDropped(Number(dragged.id), at, report.id),
  });
  return (
    <div
      ref={(element) => endAll([drag(element), drop(element)])}
      // Browsers expose a draggable element as a group, which would have no name.
      role="presentation"
      data-dragging={dragging || undefined}
      className={cx("group/row relative", dragging && "opacity-50")}
    >
      <DropLine edge={edge} />
      {movable && <Grip />}
      <Row
        lines={2}
        current={props.current}
        selected={props.selected}
        checkbox={
          changeable && (
            <RowCheckbox
              name={report.title}
              tabIndex={row.tabIndex}
              selected={props.selected}
              onToggle={(range) => actions.onToggle(report.id, range)}
            />
          )
        }
        end={<RowEnd {...props} />}
      >
        <div className="flex min-w-0 flex-1 flex-col gap-0.5">
          <div className="flex min-w-0 items-center gap-2">
            <Link
              to="/projects/$projectKey/triage"
              params={{ projectKey: props.projectKey }}
              search={{ ...search, report: id }}
              // The row is dragged, not the link.
              draggable={false}
              title={report.title}
              className={`block flex-1 ${rowLink}`}
              aria-current={props.current || undefined}
              {...row}
            >
              <RowText>{report.title}</RowText>
            </Link>
            <Waiting report={report} oldest={props.oldest} />
          </div>
          <Details report={report} view={props.view} author={author} />
        </div>
      </Row>
    </div>
  );
});

const endAll = (ends: readonly ((() => void) | void)[]) => () => {
  for (const end of ends) end?.();
};

function RowEnd({ report, actions, row }: Props) {
  const label = `Actions for ${report.title}`;
  return (
    <>
      {report.thumbnail_id !== null && (
        <Thumbnail projectId={report.project_id} reportId={report.id} image={report.thumbnail_id} />
      )}
      <span className="flex w-7">
        <AfterFirstFrame>
          <Menu
            label={label}
            align="end"
            items={() => actions.menu(report)}
            trigger={<IconButton label={label} size="sm" icon={EllipsisVertical} tabIndex={row.tabIndex} />}
          />
        </AfterFirstFrame>
      </span>
    </>
  );
}

/** Since when it waits, or when it was decided. */
function Waiting({ report, oldest }: Pick<Props, "report" | "oldest">) {
  return (
    <span className="flex shrink-0 items-center gap-1 text-sm text-text-3">
      {oldest && (
        <span title="Has waited longest">
          <Hourglass size={12} aria-hidden />
          <span className="sr-only">Has waited longest</span>
        </span>
      )}
      <WaitingMark kind="report" id={report.id} />
      <Time at={dateOf(report)} as="short" />
    </span>
  );
}

function Details({ report, view, author }: Pick<Props, "report" | "view" | "author">) {
  return (
    <p className="flex min-w-0 items-center gap-2 text-sm text-text-3">
      <span className="shrink-0">#{report.id}</span>
      {report.kind !== null && <KindMark kind={report.kind} />}
      {report.voices > 1 && (
        <span
          className="flex shrink-0 items-center gap-1 font-medium text-text-2"
          title={`${report.voices} voices`}
        >
          <Users size={12} aria-hidden />
          {report.voices}
          <span className="sr-only"> voices</span>
        </span>
      )}
      <span className="flex max-w-[40%] min-w-0 shrink-0">
        <ReportAuthor author={author} />
      </span>
      {report.attachments_count > (report.thumbnail_id === null ? 0 : 1) && (
        <span className="flex shrink-0 items-center gap-1">
          <Paperclip size={12} aria-hidden />
          {report.attachments_count}
          <span className="sr-only">{report.attachments_count === 1 ? "file" : "files"}</span>
        </span>
      )}
      {view === "dismissed" && <Badge>{reasonLabel(report.dismiss_reason)}</Badge>}
      <RowText className="min-w-0 truncate text-text-2">{firstWords(report.description)}</RowText>
    </p>
  );
}

function KindMark({ kind }: { kind: ReportKind }) {
  const { label, icon: Icon } = REPORT_KIND_MARKS[kind];
  return (
    <span title={label} className="shrink-0">
      <Icon size={12} aria-hidden />
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** Shows that the row can be dragged; its text cannot, because it can be selected. Keys and the menu move it as well. */
function Grip() {
  return (
    <span
      aria-hidden
      data-grip
      className="absolute inset-y-0 start-0 z-1 flex w-4 cursor-grab items-center justify-center text-text-3 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100"
    >
      <GripVertical size={12} />
    </span>
  );
}

/** The date that its view is sorted by. */
function dateOf({ promoted_at, dismissed_at, created_at }: Report): string {
  return promoted_at ?? dismissed_at ?? created_at;
}
