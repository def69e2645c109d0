import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { given } from "../page/search-params.ts";
import { type List, useList } from "../lists/use-list.ts";
import { useOpenFirst } from "../lists/use-open-first.ts";
import { announce } from "../kit/notices/live-region.ts";
import { onReturned } from "../data/reports/returned-reports.ts";
import { reportsQuery, useReports } from "../data/reports/reports.ts";
import { type NeighborReport, targetAt } from "../data/reports/move-report.ts";
import {
  byVoices,
  countViews,
  isActive,
  isByVoices,
  kindNamed,
  searchReports,
  viewNamed,
  viewOf,
} from "./report-views.ts";
import { useAuthors } from "./use-authors.ts";
import { useReorder } from "../data/reports/use-reorder.ts";

/** The reports of the triage page, their list, and the ways to move a report. */
export function useTriage(project: Project) {
  const {
    view: viewText,
    query = "",
    kind: kindText,
    sort: sortText,
    report: openedText,
  } = useSearch({ strict: false });
  const view = viewNamed(viewText);
  const kind = kindNamed(kindText);
  const hasVoicesOrder = isByVoices(sortText);
  const navigate = useNavigate();
  const client = useQueryClient();
  const search = useMemo(
    () => given({ view: viewText, query, kind: kindText, sort: sortText }),
    [viewText, query, kindText, sortText],
  );
  const reports = useReports(project.id);
  const authorOf = useAuthors(project.id);
  const reorder = useReorder(project.id);
  const all = reports.data ?? NONE;
  const text = useDeferredValue(query);
  const queue = useMemo(() => all.filter(isActive), [all]);
  const oldest = useMemo(() => oldestOf(queue), [queue]);
  const counts = useMemo(() => countViews(all), [all]);
  const shown = useMemo(() => {
    const ofView = view === "active" ? queue : all.filter((one) => viewOf(one) === view).sort(byLatest);
    const ofKind = kind === undefined ? ofView : ofView.filter((one) => one.kind === kind);
    const listed = hasVoicesOrder ? ofKind.toSorted(byVoices) : ofKind;
    return searchReports(listed, text, (one) => authorOf(one).name);
  }, [all, queue, view, kind, hasVoicesOrder, text, authorOf]);
  /** The queue with every move so far, including those not rendered yet. */
  const latestQueue = () => (client.getQueryData(reportsQuery(project.id).queryKey) ?? all).filter(isActive);

  const show = (report: number | null) =>
    void navigate({
      to: "/projects/$projectKey/triage",
      params: { projectKey: project.key },
      search: {
        ...search,
        ...(report === null ? {} : { report: String(report) }),
      },
      replace: true,
    });
  const named = openedText === undefined ? null : Number(openedText);
  const { opened, stayClosed } = useOpenFirst({
    rows: shown,
    named,
    onOpen: show,
    paused: query !== "" || text !== query,
  });
  const queueList = useList({
    rows: shown,
    opened,
    onOpen: show,
    focusFallback: { opened: "report-title", empty: "triage-empty" },
  });
  const list = {
    ...queueList,
    close: () => {
      stayClosed();
      queueList.close();
    },
  };
  useSelectReturned(list);
  const openReport = all.find(({ id }) => id === opened);
  const selected = view === "active" ? list.selected : NONE;

  const move = (id: number, target: NeighborReport | undefined) => {
    if (target === undefined || !reorder(id, target)) return;
    list.setCursor(id);
    const others = latestQueue().filter((one) => one.id !== id);
    const at = others.findIndex((one) => one.id === target.id) + (target.edge === "after" ? 2 : 1);
    announce(`Moved to position ${at} of ${others.length + 1}.`);
    list.focusWhen(({ ids }) => ids.some((one, index) => one !== shown[index]?.id));
  };

  return {
    view,
    viewText,
    query,
    kind,
    hasVoicesOrder,
    /** What the address says about the list. */
    search,
    /** Whether reports of the queue can be moved: a position among the voices means nothing. */
    isOrderable: view === "active" && !hasVoicesOrder,
    reports,
    all,
    queue,
    oldest: view === "active" ? oldest : undefined,
    counts,
    shown,
    authorOf,
    list,
    opened,
    openReport,
    selected,
    move,
    /** To an index of the list as shown. */
    moveShown: (id: number, index: number) => move(id, targetAt(shown, id, index)),
    /** By one row. A second key may arrive before the first move is rendered. */
    moveBy: (id: number, step: 1 | -1) => {
      const listed = latestQueue().filter((one) => kind === undefined || one.kind === kind);
      const rows = searchReports(listed, text, (one) => authorOf(one).name);
      const index = rows.findIndex((one) => one.id === id) + step;
      if (index >= 0 && index < rows.length) move(id, targetAt(rows, id, index));
    },
    /** To an index of the whole queue. */
    moveQueued: (id: number, index: number) => move(id, targetAt(queue, id, index)),
  };
}

/** Selects the first of the reports that an undo has returned to the queue, as soon as the list has it. */
function useSelectReturned({ rows, moveTo }: List<Report>): void {
  const [returned, setReturned] = useState<number>();
  useEffect(() => onReturned(([first]) => setReturned(first)), []);
  const isListed = rows.some(({ id }) => id === returned);
  useEffect(() => {
    if (returned === undefined || !isListed) return;
    setReturned(undefined);
    moveTo(returned);
    // oxlint-disable-next-line react/exhaustive-deps -- the function changes on every render
  }, [returned, isListed]);
}

export type Triage = ReturnType<typeof useTriage>;

const NONE: readonly Report[] = [];

/** The report that has waited longest, if several wait. */
function oldestOf(queue: readonly Report[]): number | undefined {
  if (queue.length < 2) return undefined;
  return queue.reduce((oldest, report) => (report.created_at < oldest.created_at ? report : oldest)).id;
}

const closedAt = ({ promoted_at, dismissed_at }: Report) => promoted_at ?? dismissed_at ?? "";
const byLatest = (a: Report, b: Report) =>
  closedAt(a) < closedAt(b) ? 1 : closedAt(a) > closedAt(b) ? -1 : b.id - a.id;
