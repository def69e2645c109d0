import { useNavigate } from "@tanstack/react-router";
import { type ComponentProps, memo, type ReactNode, Suspense } from "react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { deferredPart } from "../../kit/lazy-part.tsx";
import { useLatest } from "../../lists/use-latest.ts";
import { useList } from "../../lists/use-list.ts";
import { useListKeys } from "../../lists/use-list-keys.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { ErrorRow } from "./error-row.tsx";
import { lastOpenedError } from "../group/last-opened-error.ts";
import { ListHead, type More, MoreErrors, NewErrors } from "./list-head.tsx";
import type { StatusChange } from "../../data/errors/group-status.ts";
import { ErrorMenu } from "../status/error-menu.tsx";
import type { StatusQuestion } from "../status/status-entries.ts";
import { listSearch, sortOf, type View } from "../view.ts";
import type { ProjectOf } from "./error-commands.ts";
import { useErrorActions } from "./use-error-actions.tsx";

const SelectedErrors = deferredPart(async () => (await import("./selected-errors.tsx")).SelectedErrors);

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
  const rowActions = useLatest<RowActions>({
    onToggle: list.toggle,
    onAssign: (group, anchor) => actions.pickAssignee([group], anchor),
    onChange: (group, to) => actions.change([group], to),
    onAsk: (group, question) => actions.ask([group], question),
    onPromote: actions.promote,
    onPeek: list.open,
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
          <ListedError
            group={group}
            project={projectOf(group)}
            isAll={project === null}
            row={row}
            current={group.id === list.current?.id}
            selected={list.isSelected(group.id)}
            selectable={actions.mayUpdateAny}
            assignable={actions.mayUpdate(group)}
            view={view}
            actions={rowActions}
          />
        )}
      />
      <MoreErrors more={more} />
      <Suspense>
        <SelectedErrors
          selected={selected}
          mayUpdate={actions.mayUpdate}
          onChange={(to) => actions.change(selected, to)}
          onAsk={(question) => actions.ask(selected, question)}
          onAssign={(anchor) => actions.pickAssignee(selected, anchor)}
          onClear={list.clearSelection}
        />
      </Suspense>
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

/** Stable functions, so that a row renders again only when it changes. */
type RowActions = {
  onToggle: (id: number, range: boolean) => void;
  onAssign: (group: ErrorGroupListItem, anchor: HTMLElement) => void;
  onChange: (group: ErrorGroupListItem, to: StatusChange) => void;
  onAsk: (group: ErrorGroupListItem, question: StatusQuestion) => void;
  onPromote: (group: ErrorGroupListItem) => void;
  onPeek: (id: number) => void;
};

type ListedProps = Omit<ComponentProps<typeof ErrorRow>, "onToggle" | "onAssign" | "menu"> & {
  selectable: boolean;
  assignable: boolean;
  actions: RowActions;
};

const ListedError = memo(function ListedError(props: ListedProps) {
  const { selectable, assignable, actions, ...rest } = props;
  const { group, project, row } = rest;
  return (
    <ErrorRow
      {...rest}
      onToggle={selectable ? (range) => actions.onToggle(group.id, range) : undefined}
      onAssign={assignable ? (anchor) => actions.onAssign(group, anchor) : undefined}
      menu={
        project && (
          <ErrorMenu
            group={group}
            project={project}
            tabIndex={row.tabIndex}
            onChange={(to) => actions.onChange(group, to)}
            onAsk={(question) => actions.onAsk(group, question)}
            onPromote={() => actions.onPromote(group)}
            onPeek={() => actions.onPeek(group.id)}
          />
        )
      }
    />
  );
});

const idOf = ({ id }: { id: number }) => id;
