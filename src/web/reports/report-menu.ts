import {
  ArrowDownToLine,
  ArrowUpRight,
  ArrowUpToLine,
  EyeOff,
  Link as LinkIcon,
  ListOrdered,
  Trash2,
} from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { can } from "../data/projects.ts";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { moveEntries } from "../lists/move-entries.ts";
import { toast } from "../kit/toast.ts";
import { isActive } from "./report-views.ts";
import type { ReportDialogs } from "./use-report-dialogs.tsx";
import type { Triage } from "./use-triage.ts";

export type Verbs = {
  /** Promote and dismiss. */
  deal: boolean;
  remove: boolean;
};

/** What the person may do with a report as it stands; one's own report one may delete. */
export function verbsOf(project: Project, me: number, report: Report | undefined): Verbs {
  if (report === undefined) return { deal: false, remove: false };
  return {
    deal: can(project, "reports:update") && isActive(report),
    remove: can(project, "reports:delete") || report.created_by === me,
  };
}

type Options = {
  project: Project;
  report: Report;
  verbs: Verbs;
  dialogs: ReportDialogs;
  /** Undefined: it has no place to change. */
  place: { triage: Triage; onChoose: () => void } | undefined;
};

/** The actions of a report, as its menu has them. */
export function menuOf({ project, report, verbs, dialogs, place }: Options): MenuEntry[] {
  const address = `/projects/${project.key}/reports/${report.id}`;
  return [
    verbs.deal && {
      label: "Promote",
      icon: ArrowUpRight,
      shortcut: "e",
      onSelect: () => dialogs.promote([report]),
    },
    verbs.deal && { label: "Dismiss", icon: EyeOff, shortcut: "h", onSelect: () => dialogs.dismiss(report) },
    verbs.deal && "separator",
    ...(place === undefined ? [] : placeEntries(report, place)),
    {
      label: "Copy link",
      icon: LinkIcon,
      onSelect: () => {
        void navigator.clipboard.writeText(new URL(address, location.href).href).then(
          () => toast({ title: "Link copied", tone: "success" }),
          () => toast({ title: "The link could not be copied", tone: "danger" }),
        );
      },
    },
    verbs.remove && {
      label: "Delete",
      icon: Trash2,
      shortcut: "Backspace",
      danger: true,
      onSelect: () => dialogs.remove(report),
    },
  ];
}

/** Up and down go by what is shown, top, bottom and positions by the whole queue. */
function placeEntries({ id }: Report, { triage, onChoose }: NonNullable<Options["place"]>): MenuEntry[] {
  const { shown, queue } = triage;
  const index = shown.findIndex((one) => one.id === id);
  const place = queue.findIndex((one) => one.id === id);
  const steps = moveEntries(index, shown.length, (to) => triage.moveShown(id, to)).slice(1, 3);
  const top = {
    label: "Move to top",
    icon: ArrowUpToLine,
    disabled: place <= 0,
    onSelect: () => triage.moveQueued(id, 0),
  };
  const bottom = {
    label: "Move to bottom",
    icon: ArrowDownToLine,
    disabled: place === queue.length - 1,
    onSelect: () => triage.moveQueued(id, queue.length - 1),
  };
  const position = {
    label: "Move to position…",
    icon: ListOrdered,
    disabled: queue.length < 2,
    onSelect: onChoose,
  };
  // The row has the focus where it arrives, not the button of its menu.
  const moves = [top, ...(index === -1 ? [] : steps), bottom].map((entry) =>
    entry && typeof entry === "object" ? { ...entry, takesFocus: true } : entry,
  );
  return [
    {
      label: "Move",
      icon: ListOrdered,
      items: [...moves, position],
    },
    "separator",
  ];
}
