import { useNavigate } from "@tanstack/react-router";
import { type ReactNode } from "react";
import type { ErrorGroupListItem, ErrorGroupStatus } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { useCommand } from "../../keys/commands.ts";
import { can } from "../../data/projects/projects.ts";
import { useList } from "../../lists/use-list.ts";
import { useListKeys } from "../../lists/use-list-keys.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { ErrorRow } from "./error-row.tsx";
import { useAssign } from "../status/use-assign.tsx";
import { lastOpenedError } from "../group/last-opened-error.ts";
import { ListHead, type More, MoreErrors, NewErrors } from "./list-head.tsx";
import { canBecome, IGNORED, OPEN, RESOLVED, type StatusChange } from "../../data/errors/group-status.ts";
import { useSetStatus } from "../../data/errors/set-status.ts";
import { usePromoteError } from "../status/use-promote-error.tsx";
import { useStatusQuestion } from "../status/use-status-question.tsx";
import { listSearch } from "../use-view.ts";
import { ErrorMenu } from "../status/error-menu.tsx";
import { leaves, sortOf, type View } from "../view.ts";
import { SelectedErrors } from "./selected-errors.tsx";

export type ProjectOf = (group: Pick<ErrorGroupListItem, "project_id">) => Project | undefined;

type Props = {
  /** null for the list of all projects. */
  project: Project | null;
  projectOf: ProjectOf;
  rows: readonly ErrorGroupListItem[];
  /** How many groups have appeared since the order of the rows was fixed. */
  newCount: number;
  onRefresh: () => void;
  more: More;
  /** The group in the preview, which may have left the tab. */
  peeked: ErrorGroupListItem | null;
  onPeek: (id: number | null) => void;
  view: View;
  /** Shown if there are no rows. */
  empty: ReactNode;
};

/** The rows, and the actions of keys, menus and selection on them. */
export function ErrorsList(props: Props) {
  const { project, projectOf, rows, newCount, onRefresh, more, peeked, onPeek, view, empty } = props;
  const navigate = useNavigate();
  const list = useList({
    rows,
    opened: peeked?.id ?? null,
    onOpen: onPeek,
    startAt: lastOpenedError.id,
    focusFallback: { opened: "error-title", empty: "errors-empty" },
  });
  const { current, selected } = list;
  const setStatus = useSetStatus();
  const promotion = usePromoteError(projectOf);

  const mayUpdate = (group: ErrorGroupListItem) => {
    const of = projectOf(group);
    return of !== undefined && can(of, "error-groups:update");
  };
  const mayUpdateAny = project === null ? rows.some(mayUpdate) : can(project, "error-groups:update");
  const target = peeked ?? current;
  const targets = selected.length > 0 ? selected : target ? [target] : [];
  const change = (groups: readonly ErrorGroupListItem[], to: StatusChange) => {
    setStatus(groups, to);
    list.clearSelection();
    const leaving = groups.filter((group) => leaves(group, to.status, view));
    if (leaving.length > 0) list.advancePast(leaving.map(({ id }) => id));
  };
  const [ask, dialog] = useStatusQuestion(change);

  useListKeys(list, {
    noun: "error",
    onOpen: (group) => {
      const of = projectOf(group);
      if (of)
        void navigate({
          to: "/projects/$projectKey/errors/$errorGroupId",
          params: { projectKey: of.key, errorGroupId: String(group.id) },
          search: listSearch(view, project === null),
        });
    },
    maySelect: () => mayUpdateAny,
  });
  const what = selected.length > 1 ? `${selected.length} errors` : (targets[0]?.exception_class ?? "");
  const mayChange = mayUpdateAny && (selected.length > 0 || (target !== undefined && mayUpdate(target)));
  const enabled = (status: ErrorGroupStatus) =>
    mayChange && targets.some((group) => canBecome(group, status));
  useCommand("resolve", () => change(targets, { status: RESOLVED }), {
    label: `Resolve ${what}`,
    enabled: enabled(RESOLVED),
  });
  useCommand("dismiss", () => change(targets, { status: IGNORED }), {
    label: `Ignore ${what}`,
    enabled: enabled(IGNORED),
  });
  useCommand("reopen", () => change(targets, { status: OPEN }), {
    label: `Reopen ${what}`,
    enabled: enabled(OPEN),
  });
  useCommand("snooze", () => ask(targets, { about: "snooze", field: "at" }), {
    label: `Snooze ${what}`,
    enabled: mayChange,
  });
  const [pickAssignee, assigneePicker] = useAssign(targets, {
    what,
    enabled: mayChange,
    anchorOf: () => document.querySelector<HTMLElement>(`[data-row="${list.tabStop}"]`),
  });
  useCommand("promote", () => target && promotion.promote(target), {
    label: `Promote ${target?.exception_class ?? ""} to an issue`,
    enabled:
      target !== undefined && mayUpdate(target) && target.linked_issue_id === null && !promotion.isPending,
  });

  if (rows.length === 0 && newCount === 0)
    return (
      <div id="errors-empty" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        {empty}
      </div>
    );
  return (
    <>
      <ListHead
        checked={selected.length === rows.length && rows.length > 0}
        mixed={selected.length > 0 && selected.length < rows.length}
        onSelectAll={mayUpdateAny ? (on) => list.select(on ? rows : []) : undefined}
        count={rows.length}
        more={more}
        sort={sortOf(view)}
      />
      <NewErrors count={newCount} onRefresh={onRefresh} />
      <VirtualList
        items={rows}
        itemKey={idOf}
        lines={2}
        label="Errors"
        list={list}
        hasMore={more.isThere}
        onNearEnd={more.load}
        renderRow={(group, row) => {
          const of = projectOf(group);
          return (
            <ErrorRow
              group={group}
              project={of}
              isAll={project === null}
              row={row}
              current={group.id === current?.id}
              selected={list.isSelected(group.id)}
              onToggle={mayUpdateAny ? (range) => list.toggle(group.id, range) : undefined}
              view={view}
              onAssign={mayUpdate(group) ? (anchor) => pickAssignee([group], anchor) : undefined}
              menu={
                of && (
                  <ErrorMenu
                    group={group}
                    project={of}
                    tabIndex={row.tabIndex}
                    onChange={(to) => change([group], to)}
                    onAsk={(question) => ask([group], question)}
                    onPromote={() => promotion.promote(group)}
                    onPeek={() => list.open(group.id)}
                  />
                )
              }
            />
          );
        }}
      />
      <MoreErrors more={more} />
      <SelectedErrors
        selected={selected}
        mayUpdate={mayUpdate}
        onChange={(to) => change(selected, to)}
        onAsk={(question) => ask(selected, question)}
        onAssign={(anchor) => pickAssignee(selected, anchor)}
        onClear={list.clearSelection}
      />
      {dialog}
      {promotion.dialog}
      {assigneePicker}
    </>
  );
}

const idOf = ({ id }: { id: number }) => id;
