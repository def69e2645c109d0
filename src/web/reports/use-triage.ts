import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
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
  const asked = useTriageSearch();
  const { view, query, hasVoicesOrder } = asked;
  const reports = useReports(project.id);
  const all = reports.data ?? NONE;
  const queue = useMemo(() => all.filter(isActive), [all]);
  const oldest = useMemo(() => oldestOf(queue), [queue]);
  const counts = useMemo(() => countViews(all), [all]);
  const { shown, authorOf, text, findIn } = useShownReports(project, asked, { all, queue });
  const { list, opened } = useQueueList(project, asked, { shown, isSettled: query === "" && text === query });
  const openReport = all.find(({ id }) => id === opened);
  const moves = useMoves(project, { all, queue, shown, list, findIn });
  return {
    ...asked,
    ...moves,
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
    selected: view === "active" ? list.selected : NONE,
  };
}

type TriageSearch = ReturnType<typeof useTriageSearch>;

/** What the address says about the list. */
function useTriageSearch() {
  const { view: viewText, query = "", kind: kindText, sort: sortText, report } = useSearch({ strict: false });
  return {
    viewText,
    query,
    view: viewNamed(viewText),
    kind: kindNamed(kindText),
    hasVoicesOrder: isByVoices(sortText),
    /** The report that the address names. */
    named: report === undefined ? null : Number(report),
    /** What the address says about the list. */
    search: useMemo(
      () => given({ view: viewText, query, kind: kindText, sort: sortText }),
      [viewText, query, kindText, sortText],
    ),
  };
}

type Reports = { all: readonly Report[]; queue: readonly Report[] };

/** The reports of the view, of the kind and with the text that the user has chosen. */
function useShownReports(project: Project, { view, query, kind, hasVoicesOrder }: TriageSearch, of: Reports) {
  const { all, queue } = of;
  const authorOf = useAuthors(project.id);
  const text = useDeferredValue(query);
  const findIn = useCallback(
    (reports: readonly Report[]) => {
      const ofKind = kind === undefined ? reports : reports.filter((report) => report.kind === kind);
      return searchReports(ofKind, text, (report) => authorOf(report).name);
    },
    [kind, text, authorOf],
  );
  const shown = useMemo(() => {
    const ofView = view === "active" ? queue : all.filter((report) => viewOf(report) === view).sort(byLatest);
    return findIn(hasVoicesOrder ? ofView.toSorted(byVoices) : ofView);
  }, [all, queue, view, hasVoicesOrder, findIn]);
  return { shown, authorOf, text, findIn };
}

/** The list, and the open report. `isSettled`: nothing is being searched for. */
function useQueueList(
  project: Project,
  { search, named }: TriageSearch,
  { shown, isSettled }: { shown: readonly Report[]; isSettled: boolean },
) {
  const navigate = useNavigate();
  const show = (report: number | null) =>
    void navigate({
      to: "/projects/$projectKey/triage",
      params: { projectKey: project.key },
      search: { ...search, ...(report === null ? {} : { report: String(report) }) },
      replace: true,
    });
  const { opened, stayClosed } = useOpenFirst({ rows: shown, named, onOpen: show, paused: !isSettled });
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
  return { list, opened };
}

type Movable = Reports & {
  shown: readonly Report[];
  list: Pick<List<Report>, "setCursor" | "focusWhen">;
  findIn: (reports: readonly Report[]) => readonly Report[];
};

function useMoves(project: Project, { all, queue, shown, list, findIn }: Movable) {
  const client = useQueryClient();
  const reorder = useReorder(project.id);
  /** The queue with every move so far, including those not rendered yet. */
  const latestQueue = () => (client.getQueryData(reportsQuery(project.id).queryKey) ?? all).filter(isActive);
  const move = (id: number, target: NeighborReport | undefined) => {
    if (target === undefined || !reorder(id, target)) return;
    list.setCursor(id);
    const others = latestQueue().filter((other) => other.id !== id);
    const at = others.findIndex((other) => other.id === target.id) + (target.edge === "after" ? 2 : 1);
    announce(`Moved to position ${at} of ${others.length + 1}.`);
    list.focusWhen(({ ids }) => ids.some((listed, index) => listed !== shown[index]?.id));
  };
  return {
    move,
    /** To an index of the list as shown. */
    moveShown: (id: number, index: number) => move(id, targetAt(shown, id, index)),
    /** By one row. A second key may arrive before the first move is rendered. */
    moveBy: (id: number, step: 1 | -1) => {
      const rows = findIn(latestQueue());
      const index = rows.findIndex((report) => report.id === id) + step;
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
