import type { ErrorGroupListItem, ErrorGroupStatus } from "../../shared/error-groups.ts";
import { canBecome, IGNORED, isRegressed, OPEN, RESOLVED } from "./states.ts";

/** The part of the address that selects and sorts groups. */
export type View = {
  tab?: string;
  query?: string;
  environment?: string;
  release?: string;
  /** The key of a project, in the list of all projects. */
  project?: string;
  sort?: string;
};

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

const newest = (a: string, b: string) => (a < b ? 1 : a > b ? -1 : 0);

export const SORTS = {
  last_seen: {
    label: "Last seen",
    compare: (a: ErrorGroupListItem, b: ErrorGroupListItem) => newest(a.last_seen_at, b.last_seen_at),
  },
  first_seen: {
    label: "First seen",
    compare: (a: ErrorGroupListItem, b: ErrorGroupListItem) => newest(a.first_seen_at, b.first_seen_at),
  },
  events: {
    label: "Most events",
    compare: (a: ErrorGroupListItem, b: ErrorGroupListItem) => b.occurrence_count - a.occurrence_count,
  },
  users: {
    label: "Most users",
    // Unknown is not 0, and sorts after it.
    compare: (a: ErrorGroupListItem, b: ErrorGroupListItem) =>
      (b.affected_users ?? -1) - (a.affected_users ?? -1),
  },
} as const;

export type Sort = keyof typeof SORTS;

export const tabOf = ({ tab }: { tab?: string | undefined }): Tab =>
  tab !== undefined && Object.hasOwn(TABS, tab) ? (tab as Tab) : "open";
export const sortOf = ({ sort }: { sort?: string | undefined }): Sort =>
  sort !== undefined && Object.hasOwn(SORTS, sort) ? (sort as Sort) : "last_seen";

/** Whether anything besides the tab filters the list. */
export const isFiltered = ({ query, environment, release, project }: View) =>
  [query, environment, release, project].some((value) => value !== undefined && value !== "");

/** The groups of the tab, sorted; ties are sorted newest first. */
export function shownGroups(
  groups: readonly ErrorGroupListItem[],
  view: { tab?: string | undefined; sort?: string | undefined },
): ErrorGroupListItem[] {
  const { compare } = SORTS[sortOf(view)];
  return groups
    .filter((group) => TABS[tabOf(view)].has(group))
    .sort((a, b) => compare(a, b) || newest(a.last_seen_at, b.last_seen_at) || b.id - a.id);
}

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
