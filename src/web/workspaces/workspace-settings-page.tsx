import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { AuditSection } from "../audit/audit-section.tsx";
import { NotFoundPage } from "../page/not-found.tsx";
import { QueryError } from "../page/query-error.tsx";
import { type Section, SettingsFrame } from "../forms/settings-frame.tsx";
import { workspacesQuery } from "../data/projects/projects.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { FeaturesSection } from "./features-section.tsx";
import { integrationsLabel, useFailingCount } from "../integrations/webhooks/use-failing-count.ts";
import { GeneralSection } from "./general-section.tsx";
import { InvitationsSection } from "./invitations-section.tsx";
import { MailSection } from "./mail-section.tsx";
import { PeopleSection } from "./people-section.tsx";
import { RolesSection } from "./roles-section.tsx";
import { TeamsSection } from "./teams-section.tsx";

const WorkspaceIntegrations = lazyPart(
  async () => (await import("../integrations/connect/integrations-section.tsx")).WorkspaceIntegrations,
);

/** Administrators can change everything; others only see the name, people, teams and roles. */
export function WorkspaceSettingsPage() {
  const { workspaceId } = useParams({ from: "/app/workspaces/$workspaceId/settings" });
  const { section } = useSearch({ from: "/app/workspaces/$workspaceId/settings" });
  const { data, error, refetch } = useQuery(workspacesQuery);
  const workspace = data?.find(({ id }) => String(id) === workspaceId);
  const failing = useFailingCount(
    { kind: "workspaces", id: Number(workspaceId) },
    workspace?.is_admin ?? false,
  );
  if (data && !workspace) return <NotFoundPage />;
  if (!workspace)
    return (
      <>
        <PageHeader title="Workspace settings" />
        {error ? <QueryError error={error} retry={() => void refetch()} /> : <Skeleton />}
      </>
    );
  const admin = workspace.is_admin;
  const sections: (Section | false)[] = [
    { value: "general", label: "General", content: <GeneralSection workspace={workspace} /> },
    admin && {
      value: "features",
      label: "Features",
      content: <FeaturesSection workspace={workspace} />,
    },
    { value: "people", label: "People", content: <PeopleSection workspace={workspace} /> },
    admin && {
      value: "invitations",
      label: "Invitations",
      content: <InvitationsSection workspace={workspace} />,
    },
    { value: "teams", label: "Teams", content: <TeamsSection workspace={workspace} /> },
    { value: "roles", label: "Roles", content: <RolesSection workspace={workspace} /> },
    admin && {
      value: "integrations",
      label: integrationsLabel(failing),
      content: <WorkspaceIntegrations workspace={workspace} />,
    },
    admin && { value: "mail", label: "Email", content: <MailSection workspace={workspace} /> },
    admin && { value: "audit", label: "Audit log", content: <AuditSection workspace={workspace} /> },
  ];
  return (
    <SettingsFrame
      key={workspace.id}
      title="Workspace settings"
      crumbs={[
        <Link key="workspace" to="/">
          {workspace.name}
        </Link>,
      ]}
      sections={sections.filter((one) => one !== false)}
      current={section}
    />
  );
}
