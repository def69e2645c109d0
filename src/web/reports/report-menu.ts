import {
  ArrowDownToLine,
  ArrowUpRight,
  ArrowUpToLine,
  CopyCheck,
  EyeOff,
  Globe,
  Link as LinkIcon,
  ListOrdered,
  Trash2,
  Undo2,
  UserX,
} from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { can } from "../data/projects/projects.ts";
import { copyText } from "../kit/copy-text.ts";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { moveEntries } from "../lists/move-entries.ts";
import { isActive, viewOf } from "./report-views.ts";
import type { ReportDialogs } from "./use-report-dialogs.tsx";
import type { Triage } from "./use-triage.ts";

export type ReportActions = {
  /** Promote and dismiss. */
  decide: boolean;
  /** Return it to the queue: the label of the action. Undefined if that is not possible. */
  restore: "Restore" | "Back to the queue" | undefined;
  remove: boolean;
  /** Reports from outside have a status page, and an author without account. */
  outside: boolean;
};

/** What the user may do with a report. Users may delete their own reports. */
export function actionsOf(project: Project, me: number, report: Report | undefined): ReportActions {
  if (report === undefined) return { decide: false, restore: undefined, remove: false, outside: false };
  const mayUpdate = can(project, "reports:update");
  return {
    decide: mayUpdate && isActive(report),
    restore: mayUpdate ? RESTORE_LABELS[viewOf(report)] : undefined,
    remove: can(project, "reports:delete") || report.created_by === me,
    outside: mayUpdate && report.source === API,
  };
}

/** The `source` of reports from outside. */
const API: Report["source"] = 1;

const RESTORE_LABELS = { active: undefined, dismissed: "Restore", promoted: "Back to the queue" } as const;

type Options = {
  project: Project;
  report: Report;
  actions: ReportActions;
  dialogs: ReportDialogs;
  restore: (report: Report) => void;
  /** Undefined if the report cannot be moved. */
  move: { triage: Triage; onChoose: () => void } | undefined;
};

/** The menu of a report. */
export function menuOf({ project, report, actions, dialogs, restore, move }: Options): MenuEntry[] {
  const address = `/projects/${project.key}/reports/${report.id}`;
  return [
    actions.decide && {
      label: "Promote",
      icon: ArrowUpRight,
      shortcut: "e",
      onSelect: () => dialogs.promote([report]),
    },
    actions.decide && {
      label: "Dismiss",
      icon: EyeOff,
      shortcut: "h",
      onSelect: () => dialogs.dismiss([report]),
    },
    actions.decide && {
      label: "Mark as duplicate…",
      icon: CopyCheck,
      shortcut: "d",
      onSelect: () => dialogs.markDuplicate([report]),
    },
    actions.restore !== undefined && {
      label: actions.restore,
      icon: Undo2,
      shortcut: "u",
      onSelect: () => restore(report),
    },
    (actions.decide || actions.restore !== undefined) && "separator",
    ...(move === undefined ? [] : moveMenu(report, move)),
    {
      label: "Copy link",
      icon: LinkIcon,
      onSelect: () => void copyText(new URL(address, location.href).href, "Link copied"),
    },
    actions.outside && {
      label: "Status link…",
      icon: Globe,
      onSelect: () => dialogs.showStatusLink(report),
    },
    actions.outside &&
      (report.author_name !== null || report.author_email !== null) && {
        label: "Erase the author…",
        icon: UserX,
        danger: true,
        onSelect: () => dialogs.eraseAuthor(report),
      },
    actions.remove && {
      label: "Delete",
      icon: Trash2,
      shortcut: "Backspace",
      danger: true,
      onSelect: () => dialogs.remove(report),
    },
  ];
}

/** Up and down refer to the reports shown; top, bottom and positions to the whole queue. */
function moveMenu({ id }: Report, { triage, onChoose }: NonNullable<Options["move"]>): MenuEntry[] {
  const { shown, queue } = triage;
  const index = shown.findIndex((one) => one.id === id);
  const position = queue.findIndex((one) => one.id === id);
  const steps = moveEntries(index, shown.length, (to) => triage.moveShown(id, to)).slice(1, 3);
  const top = {
    label: "Move to top",
    icon: ArrowUpToLine,
    disabled: position <= 0,
    onSelect: () => triage.moveQueued(id, 0),
  };
  const bottom = {
    label: "Move to bottom",
    icon: ArrowDownToLine,
    disabled: position === queue.length - 1,
    onSelect: () => triage.moveQueued(id, queue.length - 1),
  };
  const toPosition = {
    label: "Move to position…",
    icon: ListOrdered,
    disabled: queue.length < 2,
    onSelect: onChoose,
  };
  // The focus goes to the moved row instead of back to the button of its menu.
  const moves = [top, ...(index === -1 ? [] : steps), bottom].map((entry) =>
    entry && typeof entry === "object" ? { ...entry, takesFocus: true } : entry,
  );
  return [
    {
      label: "Move",
      icon: ListOrdered,
      items: [...moves, toPosition],
    },
    "separator",
  ];
}
