import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bookmark } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import type { SavedView } from "../../shared/saved-views.ts";
import { viewsQuery } from "../data/projects/saved-views.ts";
import { usePaletteCommand } from "../keys/commands.ts";
import { Button } from "../kit/button.tsx";
import { cx } from "../kit/cx.ts";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { Menu } from "../kit/menu.tsx";
import { TOOL_TEXT } from "../kit/page-header.tsx";
import { openDialog } from "../page/open-dialog.ts";
import { parseSearch } from "../page/search-params.ts";
import { searchOf } from "./view-address.ts";

type Props = {
  page: SavedView["page"];
  /** Null for a list across all projects. */
  project: Project | null;
  search: Record<string, string | undefined>;
  /** Whether there is something to save. */
  maySave?: boolean;
  csv?: Csv;
};

/** The list as a CSV file: its address, what saves it, or the reason why these filters have none. */
export type Csv = { href: string } | { save: () => void } | { hint: string };

/** The saved views of this list. A view is part of the address, so a link shows the same. */
export function ViewsMenu({ page, project, search, maySave = true, csv }: Props) {
  const projectId = project?.id ?? null;
  const own = useQuery(viewsQuery(null)).data ?? [];
  const shared = useQuery({ ...viewsQuery(projectId), enabled: projectId !== null }).data ?? [];
  // The search is one page for all projects, so it lists the saved searches of all of them.
  const ofList = (views: readonly SavedView[]) =>
    views.filter((view) => view.page === page && (page === "search" || view.project_id === projectId));
  const entries = (views: readonly SavedView[]): MenuEntry[] =>
    ofList(views).map((view) => ({
      label: view.name,
      link: <Link to="." search={() => parseSearch(view.search)} />,
    }));
  const save = () => openDialog({ kind: "save-view", page, projectId, search: searchOf(search) });
  usePaletteCommand("save-view", "Save this view", save, maySave);
  const sharedEntries = projectId === null ? [] : entries(shared);
  const items: MenuEntry[] = [
    ...entries(own),
    ...(sharedEntries.length > 0 ? [{ heading: "Shared with the project" }, ...sharedEntries] : []),
    own.length + shared.length > 0 && "separator",
    { label: "Save view", takesFocus: true, disabled: !maySave, onSelect: save },
    own.length + shared.length > 0 && {
      label: "Manage views",
      takesFocus: true,
      onSelect: () => openDialog({ kind: "views" }),
    },
    csv && "separator",
    csv && csvEntry(csv),
  ];
  return (
    <Menu
      label="Views"
      align="end"
      trigger={
        <Button size="sm" variant="quiet" icon={Bookmark}>
          <span className={cx(TOOL_TEXT, "max-sm:sr-only")}>Views</span>
        </Button>
      }
      items={items}
    />
  );
}

function csvEntry(csv: Csv): MenuEntry {
  const label = "Export CSV";
  if ("hint" in csv) return { label, hint: csv.hint, disabled: true };
  if ("save" in csv) return { label, onSelect: csv.save };
  return {
    label,
    link: (
      <a href={csv.href} download>
        {label}
      </a>
    ),
  };
}
