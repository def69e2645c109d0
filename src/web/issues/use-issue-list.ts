import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { useCommand } from "../keys/commands.ts";
import { useProfile } from "../data/account/session.ts";
import { useList } from "../lists/use-list.ts";
import { useListKeys } from "../lists/use-list-keys.ts";
import type { ListEntry } from "./list-entries.ts";
import type { Pick, PickField } from "./quick-pick.tsx";
import { useBulkChange } from "../data/issues/use-bulk-change.ts";

type Options = {
  entries: readonly ListEntry[];
  mayUpdate: (issue: Issue) => boolean;
  projectKey: (issue: Issue) => string;
  /** The issue in the preview, which may have left the list. */
  peeked: Issue | undefined;
  onPeek: (key: string | undefined) => void;
};

/** A list of issues: cursor, selection and preview, pickers, and the keys for them. */
export function useIssueList({ entries, mayUpdate, projectKey, peeked, onPeek }: Options) {
  const me = useProfile().id;
  const navigate = useNavigate();
  const bulk = useBulkChange();
  const [pick, setPick] = useState<Pick>();
  const issues = useMemo(
    () => entries.flatMap((entry) => (entry.kind === "issue" ? [entry.issue] : [])),
    [entries],
  );
  const list = useList({
    rows: issues,
    opened: peeked?.id ?? null,
    onOpen: (id) => onPeek(issues.find((issue) => issue.id === id)?.key),
    focusFallback: { opened: "issue-peek-title", empty: "issues-empty" },
  });
  const { current, selected } = list;
  const target = peeked ?? current;
  const targets = (selected.length > 0 ? selected : target ? [target] : []).filter(mayUpdate);
  // The options of a picker belong to one project.
  const isOneProject = targets.every(({ project_id }) => project_id === targets[0]?.project_id);

  const openPick = (field: PickField, anchor: HTMLElement | null | undefined, of = targets) => {
    if (anchor && of.length > 0) setPick({ field, issues: of, anchor });
  };
  const pickByKey = (field: PickField) =>
    openPick(field, document.querySelector<HTMLElement>(`[data-row="${list.tabStop}"]`));

  useListKeys(list, {
    noun: "issue",
    onOpen: (issue) =>
      void navigate({
        to: "/projects/$projectKey/issues/$issueKey",
        params: { projectKey: projectKey(issue), issueKey: issue.key },
        state: { issueKeys: issues.map(({ key }) => key) },
      }),
    maySelect: mayUpdate,
  });
  const onIssues = { enabled: targets.length > 0 && pick === undefined };
  const inOneProject = { enabled: onIssues.enabled && isOneProject };
  useCommand("lane", () => pickByKey("lane"), inOneProject);
  useCommand("priority", () => pickByKey("priority"), onIssues);
  useCommand("assign", () => pickByKey("assignee"), inOneProject);
  useCommand("label", () => pickByKey("label"), inOneProject);
  useCommand("assignMe", () => void bulk.change(targets, () => ({ assignee_id: me })), onIssues);

  return {
    ...list,
    selectAll: () => list.select(issues.filter(mayUpdate)),
    isOneProject,
    pick,
    openPick,
    closePick: () => setPick(undefined),
    change: bulk.change,
    remove: bulk.remove,
  };
}
