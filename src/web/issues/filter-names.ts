/** The filters of a list of issues, as they are named in the address. */
export const FILTERS = [
  "query",
  "assignee",
  "label",
  "epic",
  "sprint",
  "type",
  "priority",
  "lane",
  "due",
  "parent",
] as const;
export type FilterName = (typeof FILTERS)[number];
