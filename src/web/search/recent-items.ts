import type { QueryClient } from "@tanstack/react-query";
import type { Project } from "../../shared/projects.ts";
import type { SearchKind } from "../../shared/search.ts";
import type { Entry } from "./palette-entries.ts";

const MAX_ITEMS = 5;
const MAX_PROJECTS = 3;

/** An item as its page has loaded it. Each kind has some of these fields. */
type Opened = {
  id: number;
  key?: string;
  title?: string;
  exception_class?: string;
  latest_message?: string;
};

const PAGES: Record<string, { kind: SearchKind; path: (thing: Opened) => string }> = {
  issue: { kind: "issue", path: ({ id, key }) => `issues/${key ?? id}` },
  epic: { kind: "epic", path: ({ id }) => `epics/${id}` },
  report: { kind: "report", path: ({ id }) => `reports/${id}` },
  error_group: { kind: "error_group", path: ({ id }) => `errors/${id}` },
};

/** Recently opened items, latest first. They are taken from the query cache, so nothing is requested or stored. */
export function recentEntries(client: QueryClient, projects: readonly Project[]): Entry[] {
  const keys = new Map(projects.map(({ id, key }) => [id, key]));
  return client
    .getQueryCache()
    .findAll({ predicate: ({ queryKey, state }) => queryKey[2] === "one" && state.data !== undefined })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .flatMap(({ queryKey: [name, projectId], state }): Entry[] => {
      const page = PAGES[String(name)];
      const projectKey = keys.get(Number(projectId));
      const thing = state.data as Opened;
      const label = thing.title ?? (thing.latest_message || thing.exception_class);
      if (!page || projectKey === undefined || label === undefined) return [];
      return [
        {
          id: `recent-${String(name)}-${thing.id}`,
          group: "Recent",
          label,
          mark: page.kind,
          prefix: thing.key,
          detail: label === thing.exception_class ? undefined : thing.exception_class,
          href: `/projects/${projectKey}/${page.path(thing)}`,
        },
      ];
    })
    .filter((entry, index, all) => all.findIndex(({ id }) => id === entry.id) === index)
    .slice(0, MAX_ITEMS);
}

/** The projects opened last on this device, except the current one. */
export function recentProjectEntries(
  recent: readonly string[],
  projects: readonly Project[],
  currentKey: string | undefined,
): Entry[] {
  return recent
    .flatMap((key) => projects.filter((project) => project.key === key && key !== currentKey))
    .slice(0, MAX_PROJECTS)
    .map(({ key, name }) => ({
      id: `recent-project-${key}`,
      group: "Recent",
      label: name,
      mark: "project",
      detail: key,
      href: `/projects/${key}`,
    }));
}
