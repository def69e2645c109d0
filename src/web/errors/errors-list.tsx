import { useNavigate } from "@tanstack/react-router";
import { Combine, UserRound } from "lucide-react";
import { type ReactNode, use, useState } from "react";
import type { ErrorGroupListItem, ErrorGroupStatus } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { useCommand } from "../keys/commands.ts";
import { can } from "../data/projects.ts";
import { Button } from "../kit/button.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { LazyPopup } from "../kit/lazy-popup.tsx";
import { TimeZoneContext, useNow } from "../kit/time.tsx";
import { SelectionBar } from "../lists/selection-bar.tsx";
import { useList } from "../lists/use-list.ts";
import { useListKeys } from "../lists/use-list-keys.ts";
import { VirtualList } from "../lists/virtual-list.tsx";
import { ErrorRow } from "./error-row.tsx";
import { isOneProject, useAssign } from "./use-assign.tsx";
import { lastOpenedError } from "./last-opened-error.ts";
import { ListHead, type More, MoreErrors, NewErrors } from "./list-head.tsx";
import { STATUS_ICONS } from "./group-entries.ts";
import { SplitButton } from "./split-button.tsx";
import { canBecome, IGNORED, OPEN, RESOLVED, type StatusChange } from "./states.ts";
import { releaseEntries, snoozeEntries, type StatusQuestion } from "./status-entries.ts";
import { useSetStatus } from "./use-error-actions.ts";
import { usePromote } from "./use-promote.tsx";
import { useStatusQuestion } from "./use-status-question.tsx";
import { listSearch } from "./use-view.ts";
import { ErrorMenu } from "./error-menu.tsx";
import { leaves, type View } from "./view.ts";

const MergeDialog = lazyPart(async () => (await import("./merge-dialog.tsx")).MergeDialog);

/** The server merges at most 100 groups into another one. */
const MAX_MERGED = 101;

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
  /** Instead of the rows, when there are none. */
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
  const timeZone = use(TimeZoneContext);
  const now = useNow();
  const setStatus = useSetStatus();
  const promotion = usePromote(projectOf);

  const mayUpdate = (group: ErrorGroupListItem) => {
    const of = projectOf(group);
    return of !== undefined && can(of, "error-groups:update");
  };
  const mayUpdateAny = project === null ? rows.some(mayUpdate) : can(project, "error-groups:update");
  const [isMerging, setMerging] = useState(false);
  const [first] = selected;
  const mayMerge =
    first !== undefined &&
    selected.length > 1 &&
    selected.length <= MAX_MERGED &&
    mayUpdate(first) &&
    selected.every((one) => one.project_id === first.project_id && one.environment === first.environment);
  const target = peeked ?? current;
  const targets = selected.length > 0 ? selected : target ? [target] : [];
  const change = (groups: readonly ErrorGroupListItem[], to: StatusChange) => {
    setStatus(groups, to);
    list.clearSelection();
    const leaving = groups.filter((group) => leaves(group, to.status, view));
    if (leaving.length > 0) list.goOn(leaving.map(({ id }) => id));
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

  const may = (status: ErrorGroupStatus) => selected.some((group) => canBecome(group, status));
  const handlers = {
    onChange: (to: StatusChange) => change(selected, to),
    onAsk: (question: StatusQuestion) => ask(selected, question),
  };
  if (rows.length === 0 && newCount === 0)
    return (
      <div id="errors-empty" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto">
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
      <SelectionBar count={selected.length} noun="error" onClear={list.clearSelection}>
        <SplitButton
          size="sm"
          icon={STATUS_ICONS[RESOLVED]}
          shortcut="e"
          onClick={may(RESOLVED) ? () => change(selected, { status: RESOLVED }) : undefined}
          more="Fixed in"
          items={releaseEntries(handlers)}
        >
          Resolve
        </SplitButton>
        <SplitButton
          size="sm"
          icon={STATUS_ICONS[IGNORED]}
          shortcut="h"
          onClick={may(IGNORED) ? () => change(selected, { status: IGNORED }) : undefined}
          more="Snooze"
          items={snoozeEntries({ isSnoozed: false, now: new Date(now), timeZone, ...handlers })}
        >
          Ignore
        </SplitButton>
        {may(OPEN) && (
          <Button
            size="sm"
            icon={STATUS_ICONS[OPEN]}
            shortcut="u"
            onClick={() => change(selected, { status: OPEN })}
          >
            Reopen
          </Button>
        )}
        {mayMerge && (
          <Button size="sm" icon={Combine} onClick={() => setMerging(true)}>
            Merge…
          </Button>
        )}
        <Button
          size="sm"
          icon={UserRound}
          shortcut="a"
          disabled={!isOneProject(selected)}
          title={isOneProject(selected) ? undefined : "The selected errors belong to several projects"}
          onClick={(event) => pickAssignee(selected, event.currentTarget)}
        >
          Assign
        </Button>
      </SelectionBar>
      {mayMerge && isMerging && (
        <LazyPopup open onCancel={() => setMerging(false)}>
          <MergeDialog
            open
            groups={selected}
            onClose={() => setMerging(false)}
            onMerged={list.clearSelection}
          />
        </LazyPopup>
      )}
      {dialog}
      {promotion.dialog}
      {assigneePicker}
    </>
  );
}

const idOf = ({ id }: { id: number }) => id;
