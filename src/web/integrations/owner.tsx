import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Workspace } from "../../shared/workspaces.ts";
import type { WebhookOwner } from "../data/integrations/webhooks.ts";
import { can, useProjectIfAny, workspacesQuery } from "../data/projects/projects.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { NotFoundPage } from "../page/not-found.tsx";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { QueryError } from "../page/query-error.tsx";

/** What the integrations belong to. */
export type Owner = WebhookOwner &
  ({ kind: "projects"; project: Project } | { kind: "workspaces"; workspace: Workspace });

export const ownerOfProject = (project: Project): Owner => ({ kind: "projects", id: project.id, project });

export const ownerOfWorkspace = (workspace: Workspace): Owner => ({
  kind: "workspaces",
  id: workspace.id,
  workspace,
});

/** Renders a page for the project or workspace in the address, if the person may change its settings. */
export function ForOwner({ children }: { children: (owner: Owner) => ReactNode }) {
  const { workspaceId } = useParams({ strict: false });
  const project = useProjectIfAny();
  if (workspaceId !== undefined) return <ForWorkspace id={workspaceId}>{children}</ForWorkspace>;
  if (project === undefined || !can(project, "project:update")) return <NotFoundPage />;
  return children(ownerOfProject(project));
}

function ForWorkspace({ id, children }: { id: string; children: (owner: Owner) => ReactNode }) {
  const { data, error, refetch } = useQuery(workspacesQuery);
  const workspace = data?.find((one) => String(one.id) === id);
  if (workspace?.is_admin) return children(ownerOfWorkspace(workspace));
  if (data) return <NotFoundPage />;
  return (
    <>
      <PageHeader title="Integrations" />
      {error ? <QueryError error={error} retry={() => void refetch()} /> : <Skeleton />}
    </>
  );
}

/** The breadcrumb of a page below the integrations. */
export const crumbsOf = (owner: Owner): ReactNode[] => [
  owner.kind === "projects" ? (
    <ProjectCrumb key="owner" project={owner.project} />
  ) : (
    <Link key="owner" to="/">
      {owner.workspace.name}
    </Link>
  ),
  <IntegrationsLink key="integrations" owner={owner}>
    Integrations
  </IntegrationsLink>,
];

type LinkProps = { owner: Owner } & Pick<ComponentProps<"a">, "className" | "children">;

/** To the list of what is connected. */
export function IntegrationsLink({ owner, ...link }: LinkProps) {
  return owner.kind === "projects" ? (
    <Link
      to="/projects/$projectKey/settings"
      params={{ projectKey: owner.project.key }}
      search={{ section: "integrations" }}
      {...link}
    />
  ) : (
    <Link
      to="/workspaces/$workspaceId/settings"
      params={{ workspaceId: String(owner.id) }}
      search={{ section: "integrations" }}
      {...link}
    />
  );
}

/** To the steps that connect a service. */
export function ConnectLink({ owner, service, ...link }: LinkProps & { service: string }) {
  return owner.kind === "projects" ? (
    <Link
      to="/projects/$projectKey/settings/connect/$service"
      params={{ projectKey: owner.project.key, service }}
      {...link}
    />
  ) : (
    <Link
      to="/workspaces/$workspaceId/settings/connect/$service"
      params={{ workspaceId: String(owner.id), service }}
      {...link}
    />
  );
}

/** The page of a webhook, for a link or for `navigate`. */
export const webhookPage = (owner: Owner, id: number) =>
  owner.kind === "projects"
    ? ({
        to: "/projects/$projectKey/settings/webhooks/$webhookId",
        params: { projectKey: owner.project.key, webhookId: String(id) },
      } as const)
    : ({
        to: "/workspaces/$workspaceId/settings/webhooks/$webhookId",
        params: { workspaceId: String(owner.id), webhookId: String(id) },
      } as const);
