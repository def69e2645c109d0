import { FolderKanban } from "lucide-react";
import type { SearchKind } from "../../shared/search.ts";
import { KIND_ICONS } from "../marks/kind-icons.ts";

const ICONS = {
  ...KIND_ICONS,
  error_group: KIND_ICONS.error,
  project: FolderKanban,
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
