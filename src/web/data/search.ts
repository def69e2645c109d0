import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { SearchHit, SearchHits, SearchKind } from "../../shared/search.ts";
import { api, withQuery } from "../api/client.ts";

export type Search = {
  query: string;
  kind?: SearchKind | undefined;
  projectId?: number | undefined;
  state?: "open" | "closed" | undefined;
  authorId?: number | undefined;
  limit?: number;
};

/** Best matches first. A newer search aborts the previous one. */
export const searchQuery = ({ query, kind, projectId, state, authorId, limit = 20 }: Search) =>
  queryOptions({
    queryKey: ["search", projectId ?? null, query, kind ?? "", state ?? "", authorId ?? null, limit],
    queryFn: async ({ signal }) =>
      (
        await api.get<SearchHits>(
          withQuery("/api/search", { query, kind, project_id: projectId, state, author_id: authorId, limit }),
          signal,
        )
      ).data,
    enabled: query.trim() !== "",
    placeholderData: keepPreviousData,
  });

/** `web-12` → `WEB-12`; undefined for anything that is not an issue's key. */
export function issueKeyIn(text: string): string | undefined {
  return /^\s*([a-z][a-z0-9]{1,9}-[1-9][0-9]{0,9})\s*$/i.exec(text)?.[1]?.toUpperCase();
}

/** In the order of the filter. */
export const KINDS = [
  "issue",
  "epic",
  "report",
  "error_group",
  "comment",
  "project",
] as const satisfies readonly SearchKind[];

/** The kind named in the address; undefined for none or an unknown one. */
export const asKind = (text: string | undefined): SearchKind | undefined =>
  KINDS.find((kind) => kind === text);

/** The path of the page that shows a hit. */
export function addressOf(hit: SearchHit, projectKey: string): string {
  const project = `/projects/${projectKey}`;
  switch (hit.kind) {
    case "project":
      return project;
    case "issue":
      return `${project}/issues/${hit.key ?? hit.id}`;
    case "epic":
      return `${project}/epics/${hit.id}`;
    case "report":
      return `${project}/reports/${hit.id}`;
    case "error_group":
      return `${project}/errors/${hit.id}`;
    case "comment":
      return `${project}/${placeOf(hit)}#comment-${hit.id}`;
  }
}

/** What a comment is on. */
function placeOf({ key, issue_id, epic_id, error_group_id, report_id }: SearchHit): string {
  if (epic_id !== null) return `epics/${epic_id}`;
  if (error_group_id !== null) return `errors/${error_group_id}`;
  if (report_id !== null) return `reports/${report_id}`;
  return `issues/${key ?? issue_id}`;
}
