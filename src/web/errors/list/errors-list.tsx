import { useNavigate } from "@tanstack/react-router";
import { type ReactNode } from "react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { type List, useList } from "../../lists/use-list.ts";
import { useListKeys } from "../../lists/use-list-keys.ts";
import { type ListRowProps, VirtualList } from "../../lists/virtual-list.tsx";
import { ErrorRow } from "./error-row.tsx";
import { lastOpenedError } from "../group/last-opened-error.ts";
import { ListHead, type More, MoreErrors, NewErrors } from "./list-head.tsx";
import { ErrorMenu } from "../status/error-menu.tsx";
import { listSearch, sortOf, type View } from "../view.ts";
import { SelectedErrors } from "./selected-errors.tsx";
import type { ProjectOf } from "./error-commands.ts";
import { useErrorActions } from "./use-error-actions.tsx";

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
  const list = useList({
    rows,
    opened: peeked?.id ?? null,
    onOpen: onPeek,
    startAt: lastOpenedError.id,
    focusFallback: { opened: "error-title", empty: "errors-empty" },
  });
  const actions = useErrorActions({ project, projectOf, list, peeked, view });
  const { selected } = list;
  const openPage = useOpenError(props);
  useListKeys(list, { noun: "error", onOpen: openPage, maySelect: () => actions.mayUpdateAny });

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
        onSelectAll={actions.mayUpdateAny ? (on) => list.select(on ? rows : []) : undefined}
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
        renderRow={(group, row) => (
          <ListedError {...props} group={group} row={row} list={list} actions={actions} />
        )}
      />
      <MoreErrors more={more} />
      <SelectedErrors
        selected={selected}
        mayUpdate={actions.mayUpdate}
        onChange={(to) => actions.change(selected, to)}
        onAsk={(question) => actions.ask(selected, question)}
        onAssign={(anchor) => actions.pickAssignee(selected, anchor)}
        onClear={list.clearSelection}
      />
      {actions.dialogs}
    </>
  );
}

/** Opens the page of an error, whose next and previous follow this view. */
function useOpenError({ project, projectOf, view }: Pick<Props, "project" | "projectOf" | "view">) {
  const navigate = useNavigate();
  return (group: ErrorGroupListItem) => {
    const of = projectOf(group);
    if (of)
      void navigate({
        to: "/projects/$projectKey/errors/$errorGroupId",
        params: { projectKey: of.key, errorGroupId: String(group.id) },
        search: listSearch(view, project === null),
      });
  };
}

type ListedProps = Pick<Props, "project" | "projectOf" | "view"> & {
  group: ErrorGroupListItem;
  row: ListRowProps;
  list: List<ErrorGroupListItem>;
  actions: ReturnType<typeof useErrorActions>;
};

function ListedError({ project, projectOf, view, group, row, list, actions }: ListedProps) {
  const of = projectOf(group);
  return (
    <ErrorRow
      group={group}
      project={of}
      isAll={project === null}
      row={row}
      current={group.id === list.current?.id}
      selected={list.isSelected(group.id)}
      onToggle={actions.mayUpdateAny ? (range) => list.toggle(group.id, range) : undefined}
      view={view}
      onAssign={actions.mayUpdate(group) ? (anchor) => actions.pickAssignee([group], anchor) : undefined}
      menu={
        of && (
          <ErrorMenu
            group={group}
            project={of}
            tabIndex={row.tabIndex}
            onChange={(to) => actions.change([group], to)}
            onAsk={(question) => actions.ask([group], question)}
            onPromote={() => actions.promote(group)}
            onPeek={() => list.open(group.id)}
          />
        )
      }
    />
  );
}

const idOf = ({ id }: { id: number }) => id;
