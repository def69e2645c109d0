import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { allPages } from "../../api/all-pages.ts";
import { api, withQuery } from "../../api/client.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { beginChange, toast } from "../../kit/notices/toast.ts";
import type { Change, Undo } from "../../kit/notices/undo-steps.ts";
import type { IssueChanges } from "./issue-changes.ts";
import { changesInFlight, inOrder } from "./issue-order.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { Queued } from "../offline/queued-changes.ts";
import { cancelQueued, sendOrQueue } from "../offline/send-or-queue.ts";
import { fieldsChange } from "./queued-issue.ts";
import { noticeOfClosing, useOpenPage } from "./report-closing.ts";
import { undoOf } from "./undo-issues.ts";
import type { IssueFilters } from "./put-issue.ts";

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

/** What the person saw before an update or move, and its provisional rank: `mutationFn` does not get what `onMutate` returns. */
export const seen = new WeakMap<object, { before: Issue | undefined; rank?: string }>();

/** `change` is given if there is more to undo with it. */
export type Update = { id: number; changes: IssueChanges; change?: Change | undefined };

/** Changes an issue, optimistically. The change can be undone. */
export function useUpdateIssue(projectId: number) {
  const client = useQueryClient();
  const report = useReportClosing();
  return useMutation({
    ...inOrder(projectId),
    mutationFn: (update: Update) =>
      sendOrQueue<Issue>(
        client,
        fieldsChange({ id: update.id, project_id: projectId }, update.changes, seen.get(update)?.before),
      ),
    onMutate: (update) => {
      const { id, changes, change = beginChange() } = update;
      let before: Issue | undefined;
      const undo = patchEverywhere(client, "issue", id, (issue) => {
        if (before === undefined || before.updated_at < issue.updated_at) before = issue;
        return changes as Partial<Issue>;
      });
      seen.set(update, { before });
      return { undo, before, change };
    },
    onError: (error, _variables, context) => {
      context?.undo();
      showFailure(`${context?.before?.key ?? "The issue"} could not be changed`, error);
      context?.change.failed();
    },
    onSuccess: (after, { changes }, { before, change }) => {
      if (after instanceof Queued) return change.done(() => cancelQueued(client, after.id));
      if (changesInFlight(client, after) === 1) patchEverywhere(client, "issue", after.id, after);
      void report(
        before,
        after,
        change,
        before && undoOf(client, [{ before, after, fields: Object.keys(changes) }]),
      );
    },
    onSettled: (issue, _error, { id }) =>
      issue instanceof Queued
        ? undefined
        : client.invalidateQueries({ queryKey: ["issue", projectId, "activity", id] }),
  });
}

/** Completes a change. If it has closed the issue and thereby resolved errors, a message says so. */
export function useReportClosing() {
  const client = useQueryClient();
  const open = useOpenPage();
  return async (before: Issue | undefined, after: Issue, change: Change, undo: Undo | undefined) => {
    const notice = before && (await noticeOfClosing(client, [{ before, after }], open));
    if (notice === undefined) change.done(undo);
    else toast({ ...notice, tone: "success", subjects: [`issue:${after.id}`], change, undo });
  };
}

/** Ranks are compared byte by byte, not by the rules of a language. */
export const byRank = (a: { rank: string; id: number }, b: { rank: string; id: number }) =>
  a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.id - b.id;
