import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { ErrorGroupListItem, ErrorGroupStatus } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { useCommand } from "../keys/commands.ts";
import { can } from "../data/projects.ts";
import { nextRow } from "../lists/next-row.ts";
import { useFocusSoon } from "../lists/use-focus-soon.ts";
import { Button } from "../kit/button.tsx";
import { SelectionBar } from "../lists/selection-bar.tsx";
import { type ListHandle, VirtualList } from "../lists/virtual-list.tsx";
import { ErrorRow } from "./error-row.tsx";
import { lastOpened } from "./last-opened.ts";
import { ListHead, Waiting } from "./list-head.tsx";
import { canBecome, IGNORED, OPEN, RESOLVED, VERBS } from "./states.ts";
import { useSelection } from "./use-selection.ts";
import { usePromote, useSetStatus } from "./use-triage.ts";
import { listSearch } from "./use-view.ts";
import { VERB_ICONS, VerbMenu } from "./verb-menu.tsx";
import { leaves, type View } from "./view.ts";

export type ProjectOf = (group: Pick<ErrorGroupListItem, "project_id">) => Project | undefined;

type Props = {
  /** null: of all projects. */
  project: Project | null;
  projectOf: ProjectOf;
  rows: readonly ErrorGroupListItem[];
  /** How many have come since the rows were put in order. */
  waiting: number;
  onRefresh: () => void;
  /** When they were answered. */
  asOf: number;
  peekedId: number | null;
  onPeek: (id: number | null) => void;
  view: View;
};

/** The rows, and what the keys and the selection do with them. */
export function ErrorsList(props: Props) {
  const { project, projectOf, rows, waiting, onRefresh, asOf, peekedId, onPeek, view } = props;
  const navigate = useNavigate();
  const [activeId, setActiveId] = useState<number | null>(peekedId ?? lastOpened.id);
  const handle = useRef<ListHandle>(null);
  const selection = useSelection(rows);
  const setStatus = useSetStatus();
  const promote = usePromote(
    ({ project_id, issueId }) =>
      void navigate({
        to: "/projects/$projectKey/issues/$issueKey",
        params: {
          projectKey: projectOf({ project_id })?.key ?? String(project_id),
          issueKey: String(issueId),
        },
      }),
  );
  const activeIndex = rows.findIndex(({ id }) => id === activeId);
  const active = rows[activeIndex];
  const opened = peekedId?.toString();
  const { focusSoon, forget } = useFocusSoon({ list: handle, rows, opened, standIn: "error-title" });

  const mayUpdate = (group: ErrorGroupListItem) => {
    const of = projectOf(group);
    return of !== undefined && can(of, "error-groups:update");
  };
  const mayAny = project === null ? rows.some(mayUpdate) : can(project, "error-groups:update");
  const selected = rows.filter(({ id }) => selection.ids.has(id));
  const targets = selected.length > 0 ? selected : active ? [active] : [];
  const focusRow = (index: number) => {
    const group = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (group === undefined) return;
    forget();
    setActiveId(group.id);
    if (peekedId !== null) onPeek(group.id);
    handle.current?.focusIndex(rows.indexOf(group));
  };
  const become = (groups: readonly ErrorGroupListItem[], status: ErrorGroupStatus) => {
    const leaving = new Set(groups.flatMap((group) => (leaves(group, status, view) ? [group.id] : [])));
    const [only] = groups;
    const from = only !== undefined && groups.length === 1 ? rows.indexOf(only) : activeIndex;
    setStatus(groups, status);
    selection.clear();
    if (leaving.size === 0) return;
    const at = rows[from];
    const next = at && !leaving.has(at.id) ? at : nextRow(rows, leaving, from);
    const peeks = peekedId !== null && leaving.has(peekedId);
    setActiveId(next?.id ?? null);
    if (peeks) onPeek(next?.id ?? null);
    focusSoon(
      next?.id,
      (shown) =>
        !shown.rows.some(({ id }) => leaving.has(id)) && (!peeks || shown.opened === next?.id.toString()),
    );
  };

  useCommand("next", () => focusRow(active ? activeIndex + 1 : 0), { label: "Next error" });
  useCommand("previous", () => focusRow(active ? activeIndex - 1 : 0), { label: "Previous error" });
  useCommand("select", () => active && selection.toggle(active.id), {
    enabled: mayAny && active !== undefined,
  });
  useCommand("peek", () => active && onPeek(peekedId === active.id ? null : active.id), {
    label: peekedId === null ? "Peek" : "Close the preview",
    enabled: active !== undefined,
  });
  useCommand(
    "open",
    () => {
      const of = active && projectOf(active);
      if (active && of)
        void navigate({
          to: "/projects/$projectKey/errors/$errorGroupId",
          params: { projectKey: of.key, errorGroupId: String(active.id) },
          search: listSearch(view, project === null),
        });
    },
    { enabled: active !== undefined },
  );
  useCommand("close", () => (selected.length > 0 ? selection.clear() : onPeek(null)), {
    enabled: selected.length > 0 || peekedId !== null,
  });
  const what = selected.length > 1 ? `${selected.length} errors` : (targets[0]?.exception_class ?? "");
  const verbs = mayAny && (selected.length > 0 || (active !== undefined && mayUpdate(active)));
  const enabled = (status: ErrorGroupStatus) => verbs && targets.some((group) => canBecome(group, status));
  useCommand("deal", () => become(targets, RESOLVED), {
    label: `Resolve ${what}`,
    enabled: enabled(RESOLVED),
  });
  useCommand("hide", () => become(targets, IGNORED), { label: `Ignore ${what}`, enabled: enabled(IGNORED) });
  useCommand("putBack", () => become(targets, OPEN), { label: `Reopen ${what}`, enabled: enabled(OPEN) });
  useCommand("promote", () => active && promote.mutate(active), {
    label: `Promote ${active?.exception_class ?? ""} to an issue`,
    enabled:
      active !== undefined && mayUpdate(active) && active.linked_issue_id === null && !promote.isPending,
  });

  return (
    <>
      <ListHead
        checked={selected.length === rows.length && rows.length > 0}
        mixed={selected.length > 0 && selected.length < rows.length}
        onAll={mayAny ? selection.all : undefined}
        count={rows.length}
      />
      <Waiting count={waiting} onRefresh={onRefresh} />
      <VirtualList
        items={rows}
        itemKey={({ id }) => id}
        rowHeight={64}
        label="Errors"
        activeIndex={Math.max(0, activeIndex)}
        onActiveChange={(index) => setActiveId(rows[index]?.id ?? null)}
        handle={handle}
        renderRow={(group, index, row) => {
          const of = projectOf(group);
          return (
            <ErrorRow
              group={group}
              project={of}
              isAll={project === null}
              row={row}
              current={group.id === activeId || group.id === peekedId}
              selected={selection.ids.has(group.id)}
              onToggle={mayAny ? (range) => selection.toggle(group.id, range) : undefined}
              onArrow={(step) => focusRow(index + step)}
              view={view}
              asOf={asOf}
              menu={
                of && (
                  <VerbMenu
                    group={group}
                    project={of}
                    tabIndex={row.tabIndex}
                    onStatus={(status) => become([group], status)}
                    onPromote={() => promote.mutate(group)}
                    onPeek={() => {
                      setActiveId(group.id);
                      onPeek(group.id);
                    }}
                  />
                )
              }
            />
          );
        }}
      />
      <SelectionBar count={selected.length} noun="error" onClear={selection.clear}>
        {([RESOLVED, IGNORED, OPEN] as const).map(
          (status) =>
            selected.some((group) => canBecome(group, status)) && (
              <Button
                key={status}
                size="sm"
                icon={VERB_ICONS[status]}
                shortcut={status === RESOLVED ? "e" : status === IGNORED ? "h" : "u"}
                onClick={() => become(selected, status)}
              >
                {VERBS[status].verb}
              </Button>
            ),
        )}
      </SelectionBar>
    </>
  );
}
