import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { useCommand } from "../keys/commands.ts";
import { useProfile } from "../data/session.ts";
import { announce } from "../kit/live-region.tsx";
import type { ListHandle } from "../lists/virtual-list.tsx";
import { activeIndexOf, type Entry, issuesBetween, stepFrom } from "./list-entries.ts";
import type { Pick, PickField } from "./quick-pick.tsx";
import { type ChangeOf, useBulkChange } from "./use-bulk-change.ts";

/** For how long after a change the focus follows an issue that moved or went. */
const FOLLOW_MS = 1_500;

type Options = {
  entries: readonly Entry[];
  mayUpdate: (issue: Issue) => boolean;
  projectKey: (issue: Issue) => string;
  /** The key of the issue that is peeked at. */
  peek: string | undefined;
  onPeek: (key: string | undefined) => void;
};

/** Focus, ticks and pickers of a list of issues, and the keys for them. */
export function useIssueList({ entries, mayUpdate, projectKey, peek, onPeek }: Options) {
  const me = useProfile().id;
  const navigate = useNavigate();
  const bulk = useBulkChange();
  const handle = useRef<ListHandle>(null);
  const [active, setActive] = useState({ id: 0, index: 0 });
  const [ticks, setTicks] = useState<ReadonlySet<number>>(new Set());
  const [lastTick, setLastTick] = useState(0);
  const [pick, setPick] = useState<Pick>();
  const followUntil = useRef(0);

  const issues = useMemo(
    () => entries.flatMap((entry) => (entry.kind === "issue" ? [entry.issue] : [])),
    [entries],
  );
  const activeIndex = activeIndexOf(entries, active);
  const at = entries[activeIndex];
  const here = at?.kind === "issue" ? at.issue : undefined;
  const ticked = useMemo(() => issues.filter(({ id }) => ticks.has(id)), [issues, ticks]);
  const targets = (ticked.length > 0 ? ticked : here ? [here] : []).filter(mayUpdate);
  // What a picker offers is one project's.
  const oneProject = targets.every(({ project_id }) => project_id === targets[0]?.project_id);

  const activate = (index: number) => {
    const entry = entries[index];
    if (entry?.kind !== "issue") return;
    setActive({ id: entry.issue.id, index });
    if (peek !== undefined && peek !== entry.issue.key) onPeek(entry.issue.key);
  };
  const step = (direction: 1 | -1) => {
    const inList = document.activeElement?.closest("[data-index]") !== null;
    const next = inList ? stepFrom(entries, activeIndex, direction) : activeIndex;
    if (next === -1) return;
    activate(next);
    handle.current?.focusIndex(next);
  };
  const follow = () => {
    followUntil.current = performance.now() + FOLLOW_MS;
  };
  useEffect(() => {
    if (pick !== undefined || performance.now() > followUntil.current || activeIndex === -1) return;
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (lost) handle.current?.focusIndex(activeIndex);
  });

  const tick = (issue: Issue, range: boolean) => {
    const touched = range ? issuesBetween(entries, lastTick, issue.id) : [issue];
    const on = !ticks.has(issue.id);
    const next = new Set(ticks);
    for (const { id } of touched)
      if (on) next.add(id);
      else next.delete(id);
    setTicks(next);
    setLastTick(issue.id);
    announce(`${next.size} selected.`);
  };
  const change = (of: readonly Issue[], changeOf: ChangeOf) => {
    follow();
    void bulk.change(of, changeOf);
  };
  const openPick = (field: PickField, anchor: HTMLElement | null | undefined, of = targets) => {
    if (anchor && of.length > 0) setPick({ field, issues: of, anchor });
  };
  const pickHere = (field: PickField) =>
    openPick(field, document.querySelector<HTMLElement>(`[data-issue="${here?.id}"]`));

  const some = { enabled: targets.length > 0 && pick === undefined };
  const one = { enabled: some.enabled && oneProject };
  useCommand("next", () => step(1), { enabled: issues.length > 0 });
  useCommand("previous", () => step(-1), { enabled: issues.length > 0 });
  useCommand(
    "open",
    () =>
      here &&
      void navigate({
        to: "/projects/$projectKey/issues/$issueKey",
        params: { projectKey: projectKey(here), issueKey: here.key },
        state: { issueKeys: issues.map(({ key }) => key) },
      }),
    { enabled: here !== undefined },
  );
  useCommand("peek", () => here && onPeek(peek === here.key ? undefined : here.key), {
    enabled: here !== undefined,
  });
  useCommand("select", () => here && tick(here, false), {
    enabled: here !== undefined && mayUpdate(here),
  });
  useCommand("close", () => (peek === undefined ? setTicks(new Set()) : onPeek(undefined)), {
    enabled: peek !== undefined || ticks.size > 0,
  });
  useCommand("lane", () => pickHere("lane"), one);
  useCommand("priority", () => pickHere("priority"), some);
  useCommand("assign", () => pickHere("assignee"), one);
  useCommand("label", () => pickHere("label"), one);
  useCommand("assignMe", () => change(targets, () => ({ assignee_id: me })), some);

  return {
    handle,
    issues,
    activeIndex,
    activate,
    here,
    ticked,
    tick,
    tickAll: () => setTicks(new Set(issues.filter(mayUpdate).map(({ id }) => id))),
    clearTicks: () => setTicks(new Set()),
    oneProject,
    pick,
    openPick,
    closePick: () => {
      follow();
      setPick(undefined);
    },
    change,
    remove: async (of: readonly Issue[]) => {
      follow();
      await bulk.remove(of);
      setTicks(new Set());
    },
  };
}
