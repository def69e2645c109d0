import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { mapCopies, setCopy } from "../cache/cached-copies.ts";

/** Query parameters of the issue list; `me` and `none` are allowed instead of an id. */
export type IssueFilters = {
  project_id?: number | undefined;
  assignee_id?: string | undefined;
  lane_id?: string | undefined;
  lane_kind?: string | undefined;
  type?: string | undefined;
  priority?: string | undefined;
  epic_id?: string | undefined;
  sprint_id?: string | undefined;
  label_id?: string | undefined;
  parent_id?: string | undefined;
  query?: string | undefined;
  sort?: string | undefined;
};

/** Every cached list that may contain issues of the project. */
export const listsOf = (client: QueryClient, projectId: number) =>
  client.getQueryCache().findAll({
    queryKey: ["issue"],
    predicate: ({ queryKey: [, project, what] }) =>
      what === "list" && (project === projectId || project === null),
  });

/** Puts a fresh issue into every cached list and detail that has it or should have it. */
export function putIssue(client: QueryClient, issue: Issue, me: number | undefined): void {
  for (const query of listsOf(client, issue.project_id)) {
    const list = query.state.data as Issue[] | undefined;
    if (list === undefined) continue;
    const belongs = belongsIn(filtersOf(query.queryKey), issue, me);
    if (belongs === undefined) void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    else if (belongs) setCopy(client, query, withIssue(list, issue));
    else takeOut(client, query, issue.id);
  }
  for (const query of pagesOf(client, issue.project_id, issue.id)) setCopy(client, query, issue);
}

/** Removes an issue that was deleted or is no longer readable. Its page refetches and shows the error. */
export function dropIssue(client: QueryClient, projectId: number, id: number): void {
  for (const query of listsOf(client, projectId)) takeOut(client, query, id);
  for (const { queryKey } of pagesOf(client, projectId, id))
    void client.invalidateQueries({ queryKey, exact: true });
}

/** Details are cached by id and by key. */
const pagesOf = (client: QueryClient, projectId: number, id: number) =>
  client.getQueryCache().findAll({
    queryKey: ["issue", projectId, "one"],
    predicate: ({ state }) => (state.data as Issue | undefined)?.id === id,
  });

const filtersOf = (key: QueryKey) => (key[3] ?? {}) as IssueFilters;

/** Whether the issue belongs in a list with these filters; undefined if only the server knows. */
export function belongsIn(filters: IssueFilters, issue: Issue, me: number | undefined): boolean | undefined {
  const { sort, epic_id, sprint_id, assignee_id, ...others } = filters;
  const isNewestFirst = sort === undefined || sort === "-created_at";
  if (!isNewestFirst || Object.values(others).some((value) => value !== undefined)) return undefined;
  const fits = (asked: string | undefined, value: number | null) =>
    asked === undefined || asked === (value === null ? "none" : String(value));
  const asked = assignee_id === "me" ? String(me) : assignee_id;
  return fits(epic_id, issue.epic_id) && fits(sprint_id, issue.sprint_id) && fits(asked, issue.assignee_id);
}

/** The list with the issue added or replaced, newest first. */
export function withIssue(list: readonly Issue[], issue: Issue): Issue[] {
  if (list.some(({ id }) => id === issue.id))
    return list.map((other) => (other.id === issue.id ? issue : other));
  const index = list.findIndex(
    (other) =>
      other.created_at < issue.created_at || (other.created_at === issue.created_at && other.id < issue.id),
  );
  return list.toSpliced(index === -1 ? list.length : index, 0, issue);
}

const takeOut = (client: QueryClient, query: Query, id: number) =>
  mapCopies<"issue">(client, query, (issue) => (issue.id === id ? undefined : issue));
