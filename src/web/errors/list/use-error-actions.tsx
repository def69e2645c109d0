import type { ErrorGroupListItem, ErrorGroupStatus } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { IGNORED, OPEN, RESOLVED, type StatusChange } from "../../data/errors/group-status.ts";
import { useSetStatus } from "../../data/errors/set-status.ts";
import { can } from "../../data/projects/projects.ts";
import { useCommand } from "../../keys/commands.ts";
import type { List } from "../../lists/use-list.ts";
import { useAssign } from "../status/use-assign.tsx";
import { usePromoteError } from "../status/use-promote-error.tsx";
import { useStatusQuestion } from "../status/use-status-question.tsx";
import type { View } from "../view.ts";
import {
  canAnyBecome,
  canPromote,
  commandTargets,
  leavingIds,
  mayChange,
  mayUpdateIn,
  type ProjectOf,
} from "./error-commands.ts";

type Options = {
  /** null for the list of all projects. */
  project: Project | null;
  projectOf: ProjectOf;
  list: List<ErrorGroupListItem>;
  peeked: ErrorGroupListItem | null;
  view: View;
};

/** What keys, menus and the selection do with errors of a list, and the dialogs that this opens. */
export function useErrorActions({ project, projectOf, list, peeked, view }: Options) {
  const { current, rows, selected } = list;
  const setStatus = useSetStatus();
  const { promote, isPending, dialog: promotionDialog } = usePromoteError(projectOf);
  const mayUpdate = mayUpdateIn(projectOf);
  const mayUpdateAny = project === null ? rows.some(mayUpdate) : can(project, "error-groups:update");
  const candidates = { selected, peeked, current };
  const { target, targets, what } = commandTargets(candidates);
  const enabled = mayChange(candidates, { mayUpdate, mayUpdateAny });
  const change = (groups: readonly ErrorGroupListItem[], to: StatusChange) => {
    setStatus(groups, to);
    list.clearSelection();
    const leaving = leavingIds(groups, to.status, view);
    if (leaving.length > 0) list.advancePast(leaving);
  };
  const [ask, statusDialog] = useStatusQuestion(change);
  const commandTo = (status: ErrorGroupStatus, verb: string) => ({
    label: `${verb} ${what}`,
    enabled: enabled && canAnyBecome(targets, status),
  });
  useCommand("resolve", () => change(targets, { status: RESOLVED }), commandTo(RESOLVED, "Resolve"));
  useCommand("dismiss", () => change(targets, { status: IGNORED }), commandTo(IGNORED, "Ignore"));
  useCommand("reopen", () => change(targets, { status: OPEN }), commandTo(OPEN, "Reopen"));
  useCommand("snooze", () => ask(targets, { about: "snooze", field: "at" }), {
    label: `Snooze ${what}`,
    enabled,
  });
  const [pickAssignee, assigneePicker] = useAssign(targets, {
    what,
    enabled,
    anchorOf: () => document.querySelector<HTMLElement>(`[data-row="${list.tabStop}"]`),
  });
  useCommand("promote", () => target && promote(target), {
    label: `Promote ${target?.exception_class ?? ""} to an issue`,
    enabled: canPromote(target, mayUpdate) && !isPending,
  });
  const dialogs = (
    <>
      {statusDialog}
      {promotionDialog}
      {assigneePicker}
    </>
  );
  return { mayUpdate, mayUpdateAny, change, ask, pickAssignee, promote, dialogs };
}
