import type { ErrorGroupListItem, ErrorGroupSort, ErrorGroupStatus } from "../../shared/error-groups.ts";
import { LEVELS } from "../../shared/levels.ts";
import type { ErrorGroupsFilter } from "../data/error-groups.ts";
import { canBecome, IGNORED, isRegressed, OPEN, RESOLVED } from "./states.ts";

/** The parameters of the address that select and sort groups. `project` is a key, in the list of all projects. */
export const VIEW_PARAMETERS = [
  "tab",
  "query",
  "environment",
  "release",
  "project",
  "level",
  "assignee",
  "first_release",
  "tag",
  "sort",
  "direction",
] as const;

/** The part of the address that selects and sorts groups. */
export type View = { [name in (typeof VIEW_PARAMETERS)[number]]?: string };

/** `status` is the status of all groups in the tab. */
type TabOf = {
  label: string;
  status: ErrorGroupStatus | undefined;
  has: (group: ErrorGroupListItem) => boolean;
};

const tabOfStatus = (label: string, status: ErrorGroupStatus): TabOf => ({
  label,
  status,
  has: (group) => group.status === status,
});

export const TABS = {
  open: tabOfStatus("Open", OPEN),
  regressed: { label: "Regressed", status: OPEN, has: isRegressed },
  resolved: tabOfStatus("Resolved", RESOLVED),
  ignored: tabOfStatus("Ignored", IGNORED),
  all: { label: "All", status: undefined, has: () => true },
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

/** What the impact of a group is. */
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
  const { query, environment, release, level, assignee, first_release, tag, direction } = view;
  const sort = sortOf(view);
  return {
    ...(query && { query }),
    ...(environment && { environment }),
    ...(release && { release }),
    ...(level && isLevel(level) && { level }),
    ...(assignee && /^(me|none|[1-9]\d{0,14})$/.test(assignee) && { assignee_id: assignee }),
    ...(first_release && { first_release }),
    ...(tag && isTag(tag) && { tag }),
    ...(sort !== "last_seen" && { sort }),
    ...(direction === "asc" && { direction }),
  };
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

/** The count of each tab: of all tabs from a complete list, or of some from a complete list of one status. */
export function tabCounts(
  groups: readonly ErrorGroupListItem[],
  status?: ErrorGroupStatus,
): Partial<Record<Tab, number>> {
  const known = TAB_NAMES.filter((tab) => status === undefined || TABS[tab].status === status);
  return Object.fromEntries(known.map((tab) => [tab, groups.filter((group) => TABS[tab].has(group)).length]));
}

/** The groups that are in `order`, in that order, and how many others there are. */
export function inStableOrder<Group extends { id: number }>(
  groups: readonly Group[],
  order: readonly number[],
): { rows: Group[]; newCount: number } {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const rows = order.flatMap((id) => byId.get(id) ?? []);
  return { rows, newCount: groups.length - rows.length };
}

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
