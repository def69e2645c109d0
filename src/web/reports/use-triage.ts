import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { given } from "../page/search-params.ts";
import { useQueue } from "../lists/use-queue.ts";
import { announce } from "../kit/live-region.tsx";
import { reportsQuery, useReports } from "../data/reports.ts";
import { type Beside, besideIndex } from "./report-order.ts";
import { countViews, isActive, searchReports, viewNamed, viewOf } from "./report-views.ts";
import { useAuthors } from "./use-authors.ts";
import { useReorder } from "./use-reorder.ts";

/** What the triage page shows, where one is in it, and the ways to move: oneself and the reports. */
export function useTriage(project: Project) {
  const { view: viewText, query = "", report: opened } = useSearch({ strict: false });
  const view = viewNamed(viewText);
  const navigate = useNavigate();
  const client = useQueryClient();
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
  /** The queue with every move so far, drawn or not. */
  const latestQueue = () => (client.getQueryData(reportsQuery(project.id).queryKey) ?? all).filter(isActive);

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
  const place = useQueue({
    rows: shown,
    opened,
    show,
    standIns: { open: "report-title", empty: "triage-empty" },
  });
  const { list, active, activeIndex, openIndex, ticked, setFocused, focusSoon } = place;
  const openReport = opened === undefined ? undefined : all.find(({ id }) => String(id) === opened);
  const selection = view === "active" ? shown.filter(({ id }) => ticked.has(id)) : [];

  const move = (id: number, beside: Beside | undefined) => {
    if (beside === undefined || !reorder(id, beside)) return;
    setFocused(id);
    const others = latestQueue().filter((one) => one.id !== id);
    const at = others.findIndex((one) => one.id === beside.id) + (beside.edge === "after" ? 2 : 1);
    announce(`Moved to position ${at} of ${others.length + 1}.`);
    focusSoon(id, ({ rows }) => rows !== shown);
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
    step: (by: number) =>
      place.goTo(openReport !== undefined && openIndex === -1 ? shown[0] : shown[activeIndex + by]),
    close: () => place.close(openReport?.id),
    tick: place.tick,
    untick: place.untick,
    /** Those are gone from the list: on to the one after them, or before. */
    leave: (ids: readonly number[]) => place.leave(ids),
    move,
    /** To a place in the list as it is shown: one up or down is what one sees. */
    moveShown: (id: number, index: number) => move(id, besideIndex(shown, id, index)),
    /** A second key may come before the first move is drawn. */
    moveBy: (id: number, step: 1 | -1) => {
      const rows = searchReports(latestQueue(), words, (one) => authorOf(one).name);
      const index = rows.findIndex((one) => one.id === id) + step;
      if (index >= 0 && index < rows.length) move(id, besideIndex(rows, id, index));
    },
    /** To a place in the whole queue. */
    moveQueued: (id: number, index: number) => move(id, besideIndex(queue, id, index)),
  };
}

export type Triage = ReturnType<typeof useTriage>;

const NONE: readonly Report[] = [];

const dealtAt = ({ promoted_at, dismissed_at }: Report) => promoted_at ?? dismissed_at ?? "";
const byLatest = (a: Report, b: Report) =>
  dealtAt(a) < dealtAt(b) ? 1 : dealtAt(a) > dealtAt(b) ? -1 : b.id - a.id;
