import { useQuery } from "@tanstack/react-query";
import type { Project } from "../../../shared/projects.ts";
import type { Workspace } from "../../../shared/workspaces.ts";
import { gitConnectionsQuery } from "../../data/integrations/git.ts";
import { webhooksQuery } from "../../data/integrations/webhooks.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList, PanelRow } from "../../forms/panel.tsx";
import { buttonClass } from "../../kit/button.tsx";
import { IconSlot } from "../../kit/icon.tsx";
import { CodeOwnersPanel } from "../git/code-owners-panel.tsx";
import { ConnectionRow } from "../git/connection-row.tsx";
import { ConnectLink, type Owner, ownerOfProject, ownerOfWorkspace } from "../owner.tsx";
import { FORMATS, GIT_HOSTS, GIT_SERVICES, type Service, WEBHOOK_SERVICES } from "../services.ts";
import { WebhookRow } from "../webhooks/webhook-row.tsx";
import { byAttention } from "../webhooks/webhook-state.ts";

/** What is connected to a project, and what can be. */
export function ProjectIntegrations({ project }: { project: Project }) {
  const owner = ownerOfProject(project);
  const webhooks = useQuery(webhooksQuery(owner));
  const connections = useQuery(gitConnectionsQuery(project.id));
  return (
    <>
      <Panel
        title="Connected"
        lead="Webhooks send what happens in the project to chat services and your own programs. Git hosts report commits and requests."
      >
        <Loaded query={webhooks}>
          {(list) => (
            <Loaded query={connections}>
              {(hosts) =>
                list.length + hosts.length === 0 ? (
                  <PanelEmpty>Nothing is connected yet. Choose a service below.</PanelEmpty>
                ) : (
                  <PanelList label="Connected">
                    {list.toSorted(byAttention).map((webhook) => (
                      <WebhookRow key={webhook.id} owner={owner} webhook={webhook} />
                    ))}
                    {hosts.map((connection) => (
                      <ConnectionRow key={`git ${connection.id}`} project={project} connection={connection} />
                    ))}
                  </PanelList>
                )
              }
            </Loaded>
          )}
        </Loaded>
      </Panel>
      {webhooks.data && connections.data && (
        <>
          <Services
            owner={owner}
            services={[
              ...FORMATS.map((format) => ({ name: format, ...WEBHOOK_SERVICES[format] })),
              ...GIT_HOSTS.map((host) => ({ name: host, ...GIT_SERVICES[host] })),
            ]}
          />
          <CodeOwnersPanel project={project} />
        </>
      )}
    </>
  );
}

/** The webhooks of a workspace, which receive the events of all its projects. */
export function WorkspaceIntegrations({ workspace }: { workspace: Workspace }) {
  const owner = ownerOfWorkspace(workspace);
  const webhooks = useQuery(webhooksQuery(owner));
  return (
    <>
      <Panel
        title="Connected"
        lead="These webhooks receive the events of all projects of the workspace. Each project can have others in its own settings."
      >
        <Loaded query={webhooks}>
          {(list) =>
            list.length === 0 ? (
              <PanelEmpty>Nothing is connected yet. Choose a service below.</PanelEmpty>
            ) : (
              <PanelList label="Connected">
                {list.toSorted(byAttention).map((webhook) => (
                  <WebhookRow key={webhook.id} owner={owner} webhook={webhook} />
                ))}
              </PanelList>
            )
          }
        </Loaded>
      </Panel>
      {webhooks.data && (
        <Services
          owner={owner}
          services={FORMATS.map((format) => ({ name: format, ...WEBHOOK_SERVICES[format] }))}
        />
      )}
    </>
  );
}

/** Everything that can be connected, each with a link to its steps. */
function Services({ owner, services }: { owner: Owner; services: readonly (Service & { name: string })[] }) {
  return (
    <Panel title="Add an integration">
      <PanelList label="Services">
        {services.map(({ name, label, icon, text }) => (
          <PanelRow
            key={name}
            end={
              <ConnectLink owner={owner} service={name} className={buttonClass({ size: "sm" })}>
                Connect<span className="sr-only"> {label}</span>
              </ConnectLink>
            }
          >
            <span className="text-text-3 shrink-0">
              <IconSlot icon={icon} size={20} />
            </span>
            <div className="min-w-0">
              <p className="font-medium">{label}</p>
              <p className="text-text-2 text-sm">{text}</p>
            </div>
          </PanelRow>
        ))}
      </PanelList>
    </Panel>
  );
}
