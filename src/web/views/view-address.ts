import type { SavedView } from "../../shared/saved-views.ts";

/** The path of the page that a view or favorite opens. Its query is the view's `search`. */
export function pathOf({ page, issue_key, epic_id }: SavedView, projectKey: string): string {
  switch (page) {
    case "my-issues":
      return "/my-issues";
    case "all-errors":
      return "/errors";
    case "search":
      return "/search";
    case "issue":
      return `/projects/${projectKey}/issues/${issue_key}`;
    case "epic":
      return `/projects/${projectKey}/epics/${epic_id}`;
    default:
      return `/projects/${projectKey}/${page}`;
  }
}

/** The view that an address shows, if it is one of these. The address of a favorite issue or epic is its path alone. */
export function viewAt<View extends SavedView>(
  { pathname, search }: { pathname: string; search: Record<string, string | undefined> },
  views: readonly View[],
  projectKeyOf: (projectId: number) => string | undefined,
): View | undefined {
  const shown = searchOf(search);
  return views.find(
    (view) =>
      pathOf(view, projectKeyOf(view.project_id ?? 0) ?? String(view.project_id)) === pathname &&
      (FAVORITES.has(view.page) || searchOf(Object.fromEntries(new URLSearchParams(view.search))) === shown),
  );
}

const FAVORITES = new Set<SavedView["page"]>(["issue", "epic"]);

/** The address's query as a view stores it: without empty parameters, and without what is opened beside the list. */
export function searchOf(search: Record<string, string | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value && !OPENED.has(name)) params.set(name, value);
  params.sort();
  return params.toString();
}

const OPENED = new Set(["peek", "report", "item"]);
