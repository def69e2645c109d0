import type { Project } from "../../../shared/projects.ts";
import { can } from "../../data/projects/projects.ts";
import { IntegrationsLink, ownerOfProject } from "../owner.tsx";
import { useFailingCount } from "./use-failing-count.ts";

/** Tells managers of a project that webhooks fail. */
export function FailingWebhooks({ project }: { project: Project }) {
  const owner = ownerOfProject(project);
  const failing = useFailingCount(owner, can(project, "project:update"));
  if (failing === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-2 rounded-md bg-danger-tint px-3 py-2 text-danger">
      {failing === 1 ? "A webhook of the project fails." : `${failing} webhooks of the project fail.`}
      <IntegrationsLink owner={owner} className="font-medium underline">
        Open integrations
      </IntegrationsLink>
    </p>
  );
}
