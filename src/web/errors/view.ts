import type { ErrorGroupListItem, ErrorGroupSort, ErrorGroupStatus } from "../../shared/error-groups.ts";
import { LEVELS } from "../../shared/levels.ts";
import type { Project } from "../../shared/projects.ts";
import { given } from "../page/search-params.ts";
import type { ErrorGroupsFilter } from "../data/errors/error-groups.ts";
import { canBecome, IGNORED, isRegressed, OPEN, RESOLVED } from "../data/errors/group-status.ts";

/** The parameters of the address that select and sort groups. `project` is a key, in the list of all projects. */
export const VIEW_PARAMETERS = [
  "tab",
  "query",
  "environment",
  "release",
  "project",
  "level",
  "regressed",
  "assignee",
  "first_release",
  "tag",
  "sort",
  "direction",
] as const;

/** The part of the address that selects and sorts groups. */
export type View = { [name in (typeof VIEW_PARAMETERS)[number]]?: string };

/** The address of the list: the view, and the id of the group in the preview. */
export type ListSearch = View & { peek?: string };

/** The part of the list's address that links to a group keep, with `from` if the list is that of all projects. */
export function listSearch(view: View, isAll: boolean): View & { from?: string } {
  const kept: View = given(Object.fromEntries(VIEW_PARAMETERS.map((name) => [name, view[name]])));
  return { ...kept, ...(isAll ? { from: "all" } : {}) };
}

/** `filter` selects the groups of the tab on the server; `has` says which ones they are. */
type TabOf = {
  label: string;
  filter: Pick<ErrorGroupsFilter, "status" | "regressed">;
  has: (group: ErrorGroupListItem) => boolean;
};

const tabOfStatus = (label: string, status: ErrorGroupStatus): TabOf => ({
  label,
  filter: { status },
  has: (group) => group.status === status,
});

export const TABS = {
  open: tabOfStatus("Open", OPEN),
  regressed: { label: "Regressed", filter: { status: OPEN, regressed: true }, has: isRegressed },
  resolved: tabOfStatus("Resolved", RESOLVED),
  ignored: tabOfStatus("Ignored", IGNORED),
  all: { label: "All", filter: {}, has: () => true },
} satisfies Record<string, TabOf>;

export type Tab = keyof typeof TABS;
export const TAB_NAMES = Object.keys(TABS) as Tab[];

/** The orders, most or newest first unless the direction says otherwise. */
export const SORTS: Record<ErrorGroupSort, string> = {
  last_seen: "Last seen",
  first_seen: "First seen",
  events: "Events",
  users: "Users",
  impact: "Impact",
};

/** Explains how the impact of a group is computed. */
export const IMPACT_HELP =
  "Ten times the users plus the events of the last 24 hours. Errors that are new or regressed since then come first.";

export const tabOf = ({ tab }: { tab?: string | undefined }): Tab =>
  tab !== undefined && Object.hasOwn(TABS, tab) ? (tab as Tab) : "open";
export const sortOf = ({ sort }: { sort?: string | undefined }): ErrorGroupSort =>
  sort !== undefined && Object.hasOwn(SORTS, sort) ? (sort as ErrorGroupSort) : "last_seen";

const NOT_FILTERS = new Set<string>(["tab", "sort", "direction"]);

/** The parameters that filter the list, besides the tab. */
export const FILTERS = VIEW_PARAMETERS.filter((name) => !NOT_FILTERS.has(name));

/** Whether anything besides the tab filters the list. */
export const isFiltered = (view: View) =>
  FILTERS.some((name) => view[name] !== undefined && view[name] !== "");

/** Filters and order as the server takes them. Values that the server would refuse are ignored. */
export function serverFilter(view: View): ErrorGroupsFilter {
  const { query, environment, release, level, regressed, assignee, first_release, tag, direction } = view;
  const sort = sortOf(view);
  return {
    ...(query && { query }),
    ...(environment && { environment }),
    ...(release && { release }),
    ...(level && isLevel(level) && { level }),
    ...((regressed === "true" || regressed === "false") && { regressed: regressed === "true" }),
    ...(assignee && /^(me|none|[1-9]\d{0,14})$/.test(assignee) && { assignee_id: assignee }),
    ...(first_release && { first_release }),
    ...(tag && isTag(tag) && { tag }),
    ...(sort !== "last_seen" && { sort }),
    ...(direction === "asc" && { direction }),
  };
}

/** The filters of a list. The list of all projects may be limited to one; an unknown project is ignored. */
export function listFilter(
  view: View,
  { project, projects }: { project: Project | null; projects: readonly Project[] },
): ErrorGroupsFilter {
  const named = project === null ? projects.find(({ key }) => key === view.project) : undefined;
  return { ...serverFilter(view), ...(named === undefined ? {} : { project_id: named.id }) };
}

const isLevel = (level: string) => (LEVELS as readonly string[]).includes(level);

/** Whether the text is `key:value`. */
export const isTag = (text: string) => text.indexOf(":") > 0;

/** The groups of the tab, in the server's order. */
export const shownGroups = (
  groups: readonly ErrorGroupListItem[],
  view: { tab?: string | undefined },
): ErrorGroupListItem[] => groups.filter((group) => TABS[tabOf(view)].has(group));

/** Whether a group would leave the tab by getting the status. */
export const leaves = (group: ErrorGroupListItem, status: ErrorGroupStatus, view: View) =>
  canBecome(group, status) && !TABS[tabOf(view)].has({ ...group, status, regressed_at: null });

/** The count of each tab: of all tabs from a complete list, or only of `tab` and its parts from the complete list of it. */
export function tabCounts(
  groups: readonly ErrorGroupListItem[],
  tab: Tab = "all",
): Partial<Record<Tab, number>> {
  const known = TAB_NAMES.filter((name) => isPartOf(TABS[name].filter, TABS[tab].filter));
  return Object.fromEntries(
    known.map((name) => [name, groups.filter((group) => TABS[name].has(group)).length]),
  );
}

/** Whether the first filter selects some of the groups that the second one selects. */
const isPartOf = (part: TabOf["filter"], whole: TabOf["filter"]) =>
  Object.entries(whole).every(([name, value]) => part[name as keyof TabOf["filter"]] === value);

const DAY_MS = 86_400_000;

/** `2026-11-21` */
export const utcDay = (moment: number) => new Date(moment).toISOString().slice(0, 10);

/** The last `count` UTC days up to the day of `last`, oldest first. */
export function utcDays(count: number, last: number): string[] {
  return Array.from({ length: count }, (_, index) => utcDay(last - (count - 1 - index) * DAY_MS));
}

/** The indexes of the days since a group regressed, which are highlighted. */
export function hotDays(
  group: Pick<ErrorGroupListItem, "status" | "regressed_at">,
  days: readonly string[],
): Set<number> {
  const since = group.regressed_at?.slice(0, 10);
  if (since === undefined || !isRegressed(group)) return new Set();
  return new Set(days.flatMap((day, index) => (day >= since ? [index] : [])));
}
