import { CircleUser, Search, SquareKanban } from "lucide-react";
import type { SavedView } from "../../shared/saved-views.ts";
import { KIND_ICONS } from "../kit/kind-icons.ts";

const ICONS = {
  "my-issues": CircleUser,
  "all-errors": KIND_ICONS.error,
  search: Search,
  issues: KIND_ICONS.issue,
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
