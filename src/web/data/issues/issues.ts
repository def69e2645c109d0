import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { Issue, issueBody } from "../../../shared/issues.ts";
import { allPages } from "../../api/all-pages.ts";
import { api, withQuery } from "../../api/client.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { beginChange, toast } from "../../kit/notices/toast.ts";
import type { Change, Undo } from "../../kit/notices/undo-steps.ts";
import type { IssueChanges, Move } from "./issue-changes.ts";
import { changesInFlight, inOrder } from "./issue-order.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { profileQuery } from "../account/session.ts";
import { noticeOfClosing, useOpenPage } from "./report-closing.ts";
import { undoOf, undoOfMove } from "./undo-issues.ts";
import { type IssueFilters, putIssue } from "./put-issue.ts";

/** The board and the list show at most this many issues of a project. */
export const MAX_ISSUES = 2_000;

/** All issues of a project, or of all projects the person can access. */
export const issuesQuery = (projectId: number | null, filters: IssueFilters = {}) =>
  queryOptions({
    queryKey: ["issue", projectId, "list", filters],
    queryFn: ({ client, signal }) =>
      allPages<Issue>(
        withQuery(projectId === null ? "/api/issues" : `/api/projects/${projectId}/issues`, filters),
        MAX_ISSUES,
        signal,
        (rows) => client.setQueryData(firstIssuesQuery(projectId, filters).queryKey, rows),
      ),
  });

/** The first page of `issuesQuery`, which writes it, until the others have been read. */
const firstIssuesQuery = (projectId: number | null, filters: IssueFilters) =>
  queryOptions<Issue[]>({
    queryKey: ["issue", projectId, "list", { ...filters, page: "first" }],
    enabled: false,
  });

/** Every issue of a project. The board and the list share this query, and filter it on the page. */
export const allIssuesQuery = (projectId: number) => issuesQuery(projectId, NEWEST_FIRST);

/** The newest issues of a project, before all of them have been read. */
export const newestIssuesQuery = (projectId: number) => firstIssuesQuery(projectId, NEWEST_FIRST);

const NEWEST_FIRST = { sort: "-created_at" } satisfies IssueFilters;

/** By id or key. */
export const issueQuery = (projectId: number, ref: string | number) =>
  queryOptions({
    queryKey: ["issue", projectId, "one", String(ref)],
    queryFn: ({ signal }) => api.get<Issue>(`/api/projects/${projectId}/issues/${ref}`, signal),
  });

export type NewIssue = z.input<typeof issueBody>;

/** Not optimistic, because the issue has no key before the server answers. Issues are created in the order of the calls. */
export function useCreateIssue(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    scope: { id: `new issue ${projectId}` },
    mutationFn: (body: NewIssue) => api.post<Issue>(`/api/projects/${projectId}/issues`, body),
    onSuccess: (issue) => {
      putIssue(client, issue, client.getQueryData(profileQuery.queryKey)?.id);
      void client.invalidateQueries({ queryKey: ["issue"], refetchType: "none" });
      // The parent counts its sub-issues.
      if (issue.parent_id !== null) void client.invalidateQueries({ queryKey: ["issue", projectId, "one"] });
      if (issue.epic_id !== null) void client.invalidateQueries({ queryKey: ["epic", projectId] });
    },
  });
}

/** `change` is given if there is more to undo with it. */
type Update = { id: number; changes: IssueChanges; change?: Change | undefined };

/** Changes an issue, optimistically. The change can be undone. */
export function useUpdateIssue(projectId: number) {
  const client = useQueryClient();
  const report = useReportClosing();
  return useMutation({
    ...inOrder(projectId),
    mutationFn: ({ id, changes }: Update) =>
      api.patch<Issue>(`/api/projects/${projectId}/issues/${id}`, changes),
    onMutate: ({ id, changes, change = beginChange() }) => {
      let before: Issue | undefined;
      const undo = patchEverywhere(client, "issue", id, (issue) => {
        if (before === undefined || before.updated_at < issue.updated_at) before = issue;
        return changes as Partial<Issue>;
      });
      return { undo, before, change };
    },
    onError: (error, _variables, context) => {
      context?.undo();
      showFailure(`${context?.before?.key ?? "The issue"} could not be changed`, error);
      context?.change.failed();
    },
    onSuccess: (after, { changes }, { before, change }) => {
      if (changesInFlight(client, after) === 1) patchEverywhere(client, "issue", after.id, after);
      void report(
        before,
        after,
        change,
        before && undoOf(client, [{ before, after, fields: Object.keys(changes) }]),
      );
    },
    onSettled: (_issue, _error, { id }) =>
      client.invalidateQueries({ queryKey: ["issue", projectId, "activity", id] }),
  });
}

/** Completes a change. If it has closed the issue and thereby resolved errors, a message says so. */
function useReportClosing() {
  const client = useQueryClient();
  const open = useOpenPage();
  return async (before: Issue | undefined, after: Issue, change: Change, undo: Undo | undefined) => {
    const notice = before && (await noticeOfClosing(client, [{ before, after }], open));
    if (notice === undefined) change.done(undo);
    else toast({ ...notice, tone: "success", subjects: [`issue:${after.id}`], change, undo });
  };
}

/** Moves a card on the board, optimistically: a provisional `rank` puts it in its place until the server answers. */
export function useMoveIssue(projectId: number) {
  const client = useQueryClient();
  const report = useReportClosing();
  return useMutation({
    ...inOrder(projectId),
    mutationFn: ({ id, change: _change, ...body }: Move & Pick<Update, "change">) =>
      api.post<Issue>(`/api/projects/${projectId}/issues/${id}/move`, body),
    onMutate: async ({ change = beginChange(), ...move }) => {
      const { id, lane_id } = move;
      const queryKey = ["issue", projectId, "list"];
      const wasFetching = client.isFetching({ queryKey }) > 0;
      await client.cancelQueries({ queryKey });
      let place: Move | undefined;
      let before: Issue | undefined;
      let size = 0;
      const undo = patchEverywhere(client, "issue", id, (issue, all) => {
        before = issue;
        // The largest list is the one with the whole lane.
        if (all.length > size) place = placeOf(issue, all);
        size = Math.max(size, all.length);
        return { lane_id, rank: provisionalRank(all, move) };
      });
      return { undo, place, before, wasFetching, change };
    },
    onError: (error, _variables, context) => {
      context?.undo();
      showFailure(`${context?.before?.key ?? "The issue"} could not be moved`, error);
      // The cached board was outdated: a lane or a neighbor was deleted.
      void client.invalidateQueries({ queryKey: ["issue", projectId] });
      context?.change.failed();
    },
    onSuccess: (issue, _variables, { place, before, wasFetching, change }) => {
      if (changesInFlight(client, issue) === 1) patchEverywhere(client, "issue", issue.id, issue);
      void report(before, issue, change, place && undoOfMove(client, issue, place));
      // Restart the fetch that the move has canceled.
      void client.invalidateQueries({
        queryKey: ["issue", projectId],
        refetchType: wasFetching ? "active" : "none",
      });
    },
  });
}

/** Where the issue is now, as the move that would bring it back. */
function placeOf(issue: Issue, all: readonly Issue[]): Move {
  const lane = all.filter(({ lane_id }) => lane_id === issue.lane_id).toSorted(byRank);
  const index = lane.findIndex(({ id }) => id === issue.id);
  const [above, below] = [lane[index - 1], lane[index + 1]];
  return {
    id: issue.id,
    lane_id: issue.lane_id,
    ...(above ? { rank_before_id: above.id } : below ? { rank_after_id: below.id } : {}),
  };
}

/** A string that sorts right behind `before`, or right ahead of `after`, in the cached lane. */
function provisionalRank(all: readonly Issue[], move: Move): string {
  const { id, lane_id, rank_before_id, rank_after_id } = move;
  const lane = all.filter((issue) => issue.lane_id === lane_id && issue.id !== id).toSorted(byRank);
  const previous = lane.find((issue) => issue.id === rank_before_id);
  if (previous) return `${previous.rank}0`;
  const place = lane.findIndex((issue) => issue.id === rank_after_id);
  const above = place > 0 ? lane[place - 1] : undefined;
  return above ? `${above.rank}0` : "";
}

/** Ranks are compared byte by byte, not by the rules of a language. */
export const byRank = (a: { rank: string; id: number }, b: { rank: string; id: number }) =>
  a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.id - b.id;
