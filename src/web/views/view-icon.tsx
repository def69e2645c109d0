import {
  Bug,
  CircleDot,
  CircleUser,
  Columns3,
  ListTodo,
  Milestone,
  Search,
  SquareKanban,
} from "lucide-react";
import type { SavedView } from "../../shared/saved-views.ts";

const ICONS = {
  "my-issues": CircleUser,
  "all-errors": Bug,
  search: Search,
  issues: Columns3,
  board: SquareKanban,
  errors: Bug,
  triage: ListTodo,
  epics: Milestone,
  issue: CircleDot,
  epic: Milestone,
} as const;

/** The icon of the list, issue or epic that a view opens. */
export function ViewIcon({ page }: { page: SavedView["page"] }) {
  const Icon = ICONS[page];
  return <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />;
}
