import { Bug, CircleDot, FolderKanban, Inbox, MessageSquare, Milestone } from "lucide-react";
import type { SearchKind } from "../../shared/search.ts";

const ICONS = {
  issue: CircleDot,
  epic: Milestone,
  report: Inbox,
  error_group: Bug,
  project: FolderKanban,
  comment: MessageSquare,
} as const;

export const KIND_NAMES: Record<SearchKind, string> = {
  issue: "Issue",
  epic: "Epic",
  report: "Report",
  error_group: "Error",
  project: "Project",
  comment: "Comment",
};

export function HitMark({ kind }: { kind: SearchKind }) {
  const Icon = ICONS[kind];
  return <Icon role="img" aria-label={KIND_NAMES[kind]} size={16} className="text-text-3 shrink-0" />;
}
