import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { announce } from "../ui/live-region.tsx";
import type { ListHandle } from "../ui/virtual-list.tsx";
import { useReports } from "./queries.ts";
import { type Beside, besideIndex } from "./report-order.ts";
import { countViews, isActive, searchReports, viewNamed, viewOf } from "./report-views.ts";
import { useAuthors } from "./use-authors.ts";
import { useReorder } from "./use-reorder.ts";

/** What the triage page shows, where one is in it, and the ways to move: oneself and the reports. */
export function useTriage(project: Project) {
  const { view: viewText, query = "", report: opened } = useSearch({ strict: false });
  const view = viewNamed(viewText);
  const navigate = useNavigate();
  const reports = useReports(project.id);
  const authorOf = useAuthors(project.id);
  const reorder = useReorder(project.id);
  const all = reports.data ?? NONE;
  const words = useDeferredValue(query);
  const queue = useMemo(() => all.filter(isActive), [all]);
  const counts = useMemo(() => countViews(all), [all]);
  const shown = useMemo(() => {
    const listed = view === "active" ? queue : all.filter((one) => viewOf(one) === view).sort(byLatest);
    return searchReports(listed, words, (one) => authorOf(one).name);
  }, [all, queue, view, words, authorOf]);

  const list = useRef<ListHandle>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(NOBODY);
  const openReport = opened === undefined ? undefined : all.find(({ id }) => String(id) === opened);
  const indexOf = (id: number | null | undefined) => shown.findIndex((one) => one.id === id);
  const openIndex = indexOf(openReport?.id);
  const activeIndex = openIndex === -1 ? Math.max(0, indexOf(focused)) : openIndex;
  const active: Report | undefined = shown[activeIndex];
  const selection = view === "active" ? shown.filter(({ id }) => ticked.has(id)) : [];

  const latest = useRef({ shown, opened });
  useEffect(() => {
    latest.current = { shown, opened };
  });

  const show = (report: number | undefined) =>
    void navigate({
      to: "/projects/$projectKey/triage",
      params: { projectKey: project.key },
      search: {
        ...given({ view: viewText, query }),
        ...(report === undefined ? {} : { report: String(report) }),
      },
      replace: true,
    });

  /** When what is under way is drawn; with the list out of sight, the title of what is open gets it. */
  const focusSoon = (id: number | undefined) => {
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const index = latest.current.shown.findIndex((one) => one.id === id);
        if (index !== -1) list.current?.focusIndex(index);
        requestAnimationFrame(() => {
          if (document.activeElement?.closest("[role=listitem]")) return;
          const fallback = document.getElementById(
            latest.current.opened === undefined ? "triage-empty" : "report-title",
          );
          if (index === -1 || !isSeen(`[data-index="${index}"]`)) fallback?.focus({ preventScroll: true });
        });
      }),
    );
  };

  const goTo = (report: Report | undefined) => {
    if (report === undefined) return;
    setFocused(report.id);
    if (opened !== undefined) show(report.id);
    list.current?.focusIndex(indexOf(report.id));
  };

  const move = (id: number, beside: Beside | undefined) => {
    if (beside === undefined || !reorder(id, beside)) return;
    setFocused(id);
    const others = queue.filter((one) => one.id !== id);
    const at = others.findIndex((one) => one.id === beside.id) + (beside.edge === "after" ? 2 : 1);
    announce(`Moved to position ${at} of ${queue.length}.`);
    focusSoon(id);
  };

  return {
    view,
    viewText,
    query,
    reports,
    all,
    queue,
    counts,
    shown,
    authorOf,
    list,
    opened,
    openReport,
    active,
    activeIndex,
    setFocused,
    selection,
    show,
    focusSoon,
    step: (by: number) =>
      goTo(openReport !== undefined && openIndex === -1 ? shown[0] : shown[activeIndex + by]),
    close: () => {
      setFocused(openReport?.id ?? active?.id ?? null);
      show(undefined);
      focusSoon(openReport?.id ?? active?.id);
    },
    tick: (id: number) =>
      setTicked((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    untick: () => setTicked(NOBODY),
    move,
    /** To a place in the list as it is shown: one up or down is what one sees. */
    moveShown: (id: number, index: number) => move(id, besideIndex(shown, id, index)),
    /** To a place in the whole queue. */
    moveQueued: (id: number, index: number) => move(id, besideIndex(queue, id, index)),
    /** Those are gone from the list: on to the one after them, or before. */
    leave: (ids: readonly number[]) => {
      const last = Math.max(...ids.map(indexOf));
      const stays = (one: Report) => !ids.includes(one.id);
      const next = shown.slice(last + 1).find(stays) ?? shown.slice(0, Math.max(0, last)).findLast(stays);
      setTicked((before) => new Set([...before].filter((id) => !ids.includes(id))));
      setFocused(next?.id ?? null);
      if (opened !== undefined) show(next?.id);
      focusSoon(next?.id);
    },
  };
}

export type Triage = ReturnType<typeof useTriage>;

const NONE: readonly Report[] = [];
const NOBODY: ReadonlySet<number> = new Set();

const dealtAt = ({ promoted_at, dismissed_at }: Report) => promoted_at ?? dismissed_at ?? "";
const byLatest = (a: Report, b: Report) =>
  dealtAt(a) < dealtAt(b) ? 1 : dealtAt(a) > dealtAt(b) ? -1 : b.id - a.id;

/** Rendered, and not in a list that a narrow screen hides. */
const isSeen = (selector: string) => document.querySelector(selector)?.checkVisibility() ?? false;

/** Without what is empty. */
function given<T extends Record<string, string | undefined>>(search: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as {
    [K in keyof T]?: string;
  };
}
