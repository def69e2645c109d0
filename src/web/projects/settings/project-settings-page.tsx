import { useSearch } from "@tanstack/react-router";
import { lazyPart } from "../../kit/lazy-part.tsx";
import { can, useProject, useWorkspaces } from "../../data/projects/projects.ts";
import { DangerSection } from "./danger-section.tsx";
import { GeneralSection } from "./general-section.tsx";
import { LabelsSection } from "./labels-section.tsx";
import { LanesSection } from "./lanes-section.tsx";
import { ProjectCrumb } from "../../page/project-crumb.tsx";
import { type Section, SettingsFrame } from "../../forms/settings-frame.tsx";
import { integrationsLabel, useFailingCount } from "../../integrations/webhooks/use-failing-count.ts";
import { TokensSection } from "./tokens-section.tsx";

// Loaded on demand: their tabs are too large for the page's bundle budget.
const MembersSection = lazyPart(async () => (await import("./members-section.tsx")).MembersSection);
const IngestionSection = lazyPart(async () => (await import("./ingestion-section.tsx")).IngestionSection);
const InboundSection = lazyPart(async () => (await import("./inbound-section.tsx")).InboundSection);
const PrivacySection = lazyPart(async () => (await import("./privacy-section.tsx")).PrivacySection);
const TemplatesSection = lazyPart(async () => (await import("./templates-section.tsx")).TemplatesSection);
const ProjectIntegrations = lazyPart(
  async () => (await import("../../integrations/connect/integrations-section.tsx")).ProjectIntegrations,
);
const AlertRulesSection = lazyPart(
  async () => (await import("../../integrations/alert-rules/rules-section.tsx")).AlertRulesSection,
);
const FeedbackSection = lazyPart(async () => (await import("./feedback-section.tsx")).FeedbackSection);
const ImportsSection = lazyPart(
  async () => (await import("../../imports/imports-section.tsx")).ImportsSection,
);
const UsageSection = lazyPart(async () => (await import("./usage-section.tsx")).UsageSection);

/** A project's settings. Users who may not change them can read them; tokens and deletion are hidden from them. */
export function ProjectSettingsPage() {
  const project = useProject();
  const { section } = useSearch({ from: "/app/projects/$projectKey/settings" });
  const workspace = useWorkspaces().find(({ id }) => id === project.workspace_id);
  const isManager = can(project, "project:update");
  const failing = useFailingCount({ kind: "projects", id: project.id }, isManager);
  const sections: (Section | false)[] = [
    { value: "general", label: "General", content: <GeneralSection project={project} /> },
    { value: "members", label: "Members", content: <MembersSection project={project} /> },
    { value: "lanes", label: "Lanes", content: <LanesSection project={project} /> },
    { value: "labels", label: "Labels", content: <LabelsSection project={project} /> },
    can(project, "issues:read") && {
      value: "templates",
      label: "Templates",
      content: <TemplatesSection project={project} />,
    },
    isManager && {
      value: "tokens",
      label: "Tokens",
      content: <TokensSection project={project} />,
    },
    isManager && {
      value: "feedback",
      label: "Feedback",
      content: <FeedbackSection project={project} />,
    },
    isManager && {
      value: "alerts",
      label: "Alert rules",
      content: <AlertRulesSection project={project} />,
    },
    isManager && {
      value: "integrations",
      label: integrationsLabel(failing),
      content: <ProjectIntegrations project={project} />,
    },
    isManager && { value: "import", label: "Import", content: <ImportsSection project={project} /> },
    { value: "ingestion", label: "Ingestion", content: <IngestionSection project={project} /> },
    ...(project.features.error_tracking && can(project, "error-groups:read")
      ? [
          { value: "inbound", label: "Inbound rules", content: <InboundSection project={project} /> },
          { value: "privacy", label: "Privacy", content: <PrivacySection project={project} /> },
          { value: "usage", label: "Usage", content: <UsageSection project={project} /> },
        ]
      : []),
    (project.is_owner || workspace?.is_admin === true) && {
      value: "danger",
      label: "Danger zone",
      content: <DangerSection project={project} />,
    },
  ];
  return (
    <SettingsFrame
      title="Project settings"
      crumbs={[<ProjectCrumb key="project" project={project} />]}
      sections={sections.filter((one) => one !== false)}
      current={section}
    />
  );
}
