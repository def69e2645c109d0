import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, FolderKanban } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import { Combobox } from "../kit/combobox.tsx";
import { useProjects } from "../data/projects/projects.ts";
import { byRecency } from "../data/projects/recent-projects.ts";

/** All projects, most recently opened first, with a filter. */
export function ProjectSwitcher({ current }: { current: Project | undefined }) {
  const navigate = useNavigate();
  const projects = byRecency(useProjects());
  const go = (key: string | null) => {
    if (key !== null) void navigate({ to: "/projects/$projectKey", params: { projectKey: key } });
  };
  return (
    <Combobox
      label="Go to project"
      choices={projects.map(({ key, name }) => ({ value: key, label: name, hint: key }))}
      value={current?.key ?? null}
      onChange={go}
      trigger={
        <button
          type="button"
          className="border-line bg-surface hover:bg-hover flex h-10 w-full items-center gap-2 rounded-md border px-2 text-left"
        >
          <FolderKanban aria-hidden size={18} className="text-accent-text shrink-0" />
          <span className="min-w-0 flex-1 truncate font-semibold md:in-data-[sidebar=narrow]:sr-only">
            {current?.name ?? "Signalbox"}
          </span>
          <span className="sr-only">: go to another project</span>
          <ChevronsUpDown aria-hidden size={14} className="text-text-3 md:in-data-[sidebar=narrow]:hidden" />
        </button>
      }
    />
  );
}
