import type { Project } from "../../shared/projects.ts";
import type { SearchKind } from "../../shared/search.ts";
import type { PaletteEntry } from "./palette-entries.ts";

const MAX_ITEMS = 5;
const MAX_PROJECTS = 3;

/** An item as its page loads it. Each kind has some of these fields. */
export type OpenedItem = {
  id: number;
  key?: string;
  title?: string;
  exception_class?: string;
  latest_message?: string;
};

const KINDS: Record<string, SearchKind> = {
  issues: "issue",
  epics: "epic",
  reports: "report",
  errors: "error_group",
};

/** Recently opened items, each once. `thing` is undefined while it is loading, and if it cannot be read. */
export function recentItemEntries(
  items: readonly { path: string; page: string; thing: OpenedItem | undefined }[],
): PaletteEntry[] {
  return items
    .flatMap(({ path, page, thing }): PaletteEntry[] => {
      const label = thing?.title ?? (thing?.latest_message || thing?.exception_class);
      if (!thing || label === undefined) return [];
      return [
        {
          id: `recent-${page}-${thing.id}`,
          group: "Recent",
          label,
          mark: KINDS[page],
          prefix: thing.key,
          detail: label === thing.exception_class ? undefined : thing.exception_class,
          href: path,
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
): PaletteEntry[] {
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
