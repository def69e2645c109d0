import { CircleUser, ListTodo, OctagonAlert, Search, SquareKanban } from "lucide-react";
import type { SavedView } from "../../shared/saved-views.ts";
import { KIND_ICONS } from "../marks/kind-icons.ts";

const ICONS = {
  "my-issues": CircleUser,
  "all-errors": OctagonAlert,
  search: Search,
  issues: ListTodo,
  board: SquareKanban,
  errors: KIND_ICONS.error,
  triage: KIND_ICONS.report,
  epics: KIND_ICONS.epic,
  issue: KIND_ICONS.issue,
  epic: KIND_ICONS.epic,
} as const;

/** The icon of the list, issue or epic that a view opens. */
export function ViewIcon({ page }: { page: SavedView["page"] }) {
  const Icon = ICONS[page];
  return <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />;
}
