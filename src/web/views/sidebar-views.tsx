import { useQuery } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import type { SavedView } from "../../shared/saved-views.ts";
import { useProjects } from "../data/projects/projects.ts";
import { viewsQuery } from "../data/projects/saved-views.ts";
import { useCurrentProject } from "../data/projects/use-current-project.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { openDialog } from "../page/open-dialog.ts";
import { parseSearch } from "../page/search-params.ts";
import { SidebarLink } from "./sidebar-link.tsx";
import { useCurrentView } from "./use-current-view.ts";
import { pathOf } from "./view-address.ts";
import { ViewIcon } from "./view-icon.tsx";

/** The user's favorites and views, then those shared with the project. `className` is that of the sidebar's links. */
export function SidebarViews({ className }: { className: string }) {
  const project = useCurrentProject();
  const own = useQuery(viewsQuery(null)).data ?? [];
  const shared = useQuery({ ...viewsQuery(project?.id ?? null), enabled: project !== undefined }).data ?? [];
  return (
    <>
      <Views id="nav-own" title="Favorites" views={own} className={className} />
      {project && <Views id="nav-shared" title="Shared views" views={shared} className={className} />}
    </>
  );
}

type ViewsProps = { id: string; title: string; views: readonly SavedView[]; className: string };

function Views({ id, title, views, className }: ViewsProps) {
  const keys = new Map(useProjects().map((project) => [project.id, project.key]));
  const currentId = useCurrentView()?.id;
  if (views.length === 0) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-1">
      <div className="flex items-center justify-between ps-2 md:in-data-[sidebar=narrow]:hidden">
        <h2 id={id} className="text-text-3 text-xs font-semibold">
          {title}
        </h2>
        <IconButton
          size="sm"
          icon={Ellipsis}
          label={`Manage: ${title}`}
          onClick={() => openDialog({ kind: "views" })}
        />
      </div>
      <ul className="flex flex-col gap-0.5">
        {views.map((view) => (
          <li key={view.id}>
            <SidebarLink
              to={pathOf(view, keys.get(view.project_id ?? 0) ?? String(view.project_id))}
              search={parseSearch(view.search) as never}
              current={view.id === currentId}
              className={className}
              title={view.name}
            >
              <ViewIcon page={view.page} />
              <span dir="auto" className="truncate md:in-data-[sidebar=narrow]:hidden">
                {view.name}
              </span>
            </SidebarLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
