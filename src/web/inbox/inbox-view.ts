import type { InboxFilters } from "../data/inbox/inbox.ts";
import { given } from "../page/search-params.ts";

/** The parameters of the inbox's address. */
export type InboxSearch = {
  filter?: string;
  type?: string;
  project?: string;
  /** The id of the open entry. */
  item?: string;
};

/** What the address says about the inbox. */
export type InboxView = {
  /** Whether read entries are listed as well. */
  all: boolean;
  snoozed: boolean;
  type: string | undefined;
  project: string | undefined;
  /** The address without the open entry. */
  filters: Omit<InboxSearch, "item">;
  /** The filters for the API. */
  query: InboxFilters;
  /** The id of the open entry. */
  opened: number | null;
};

/** An unknown filter lists the unread entries. */
export function viewOf({ filter, type, project, item }: InboxSearch): InboxView {
  const all = filter === "all";
  const snoozed = filter === "snoozed";
  const tab = all ? {} : snoozed ? { snoozed } : { unread: true };
  return {
    all,
    snoozed,
    type,
    project,
    filters: given({ filter: all || snoozed ? filter : undefined, type, project }),
    query: { ...tab, type, project_id: project },
    opened: item === undefined ? null : Number(item),
  };
}
