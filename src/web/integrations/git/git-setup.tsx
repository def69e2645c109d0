import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { GitHost } from "../../../shared/git.ts";
import type { Project } from "../../../shared/projects.ts";
import { createGitConnection, gitConnectionsQuery } from "../../data/integrations/git.ts";
import { orNull } from "../../forms/changes-of.ts";
import { errorOf } from "../../forms/form-dialog.tsx";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList } from "../../forms/panel.tsx";
import { reasonOf } from "../../forms/reason.ts";
import { SettingsForm } from "../../forms/settings-form.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Button } from "../../kit/button.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Field } from "../../kit/field.tsx";
import { FormError } from "../../kit/form-error.tsx";
import { Input } from "../../kit/input.tsx";
import { GIT_SERVICES } from "../services.ts";
import { ConnectionItem } from "./connection-item.tsx";
import { HostSteps } from "./host-steps.tsx";

type Props = { project: Project; host: GitHost };

/** Creates a connection, shows what to enter at the host, and lists the connections to it. */
export function GitSetup({ project, host }: Props) {
  const { label } = GIT_SERVICES[host];
  const connections = useQuery(gitConnectionsQuery(project.id));
  return (
    <>
      <NewConnection project={project} host={host} />
      <Panel
        title="Connections"
        lead={`Name an issue such as ${project.key}-12 in a commit or request to link it. “Fixes ${project.key}-12” closes it when the change reaches the default branch.`}
      >
        <Loaded query={connections} rows={1}>
          {(list) => {
            const ofHost = list.filter((connection) => connection.host === host);
            return ofHost.length === 0 ? (
              <PanelEmpty>No repositories of {label} are connected yet.</PanelEmpty>
            ) : (
              <PanelList label="Connections">
                {ofHost.map((connection) => (
                  <ConnectionItem key={connection.id} project={project} connection={connection} />
                ))}
              </PanelList>
            );
          }}
        </Loaded>
      </Panel>
    </>
  );
}

function NewConnection({ project, host }: Props) {
  const { label } = GIT_SERVICES[host];
  const [name, setName] = useState("");
  const [moves, setMoves] = useState(false);
  const create = useSend({
    send: () =>
      createGitConnection(project.id, {
        host,
        ...(orNull(name) !== null && { name: name.trim() }),
        ...(moves && { on_open: "doing" as const }),
      }),
    stale: [["git_connection", project.id]],
  });
  if (create.data) return <HostSteps connection={create.data} />;
  const nameError = errorOf(create.error, "name");
  return (
    <Panel
      title="New connection"
      lead={`Creates an address that ${label} sends its events to. This server never calls ${label}.`}
      padded
    >
      <SettingsForm
        dirty={false}
        error={create.error}
        onSubmit={() => {
          if (!create.isPending) create.mutate();
        }}
      >
        <FormError>{create.error && !nameError && reasonOf(create.error)}</FormError>
        <Field label="Name" optional hint="For example the repository." error={nameError}>
          <Input
            value={name}
            onChange={(event) => setName(event.target.value)}
            placeholder="acme/shop"
            maxLength={100}
            autoComplete="off"
          />
        </Field>
        <Checkbox
          label="Move issues to “In progress” when a request that names them is opened"
          checked={moves}
          onChange={({ target }) => setMoves(target.checked)}
        />
        <div>
          <Button type="submit" variant="primary" busy={create.isPending}>
            Create connection
          </Button>
        </div>
      </SettingsForm>
    </Panel>
  );
}
