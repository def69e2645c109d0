import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Workspace } from "../../shared/workspaces.ts";
import { changeWorkspace } from "../data/projects/change-workspace.ts";
import { useWorkspaces } from "../data/projects/projects.ts";
import { errorOf } from "../forms/form-dialog.tsx";
import { Panel, PanelList, PanelRow, TwoLines } from "../forms/panel.tsx";
import { reasonOf } from "../forms/reason.ts";
import { SettingsForm } from "../forms/settings-form.tsx";
import { useSend } from "../forms/use-send.ts";
import { NameField } from "../forms/name-field.tsx";
import { SaveButton } from "../forms/save-button.tsx";
import { useProfile } from "../data/account/session.ts";
import { Badge } from "../kit/badge.tsx";
import { Button, buttonClass } from "../kit/button.tsx";
import { FormError } from "../kit/form-error.tsx";
import { toast } from "../kit/notices/toast.ts";
import { DeleteWorkspace } from "./delete-workspace.tsx";
import { DeletionsPanel } from "./deletions-panel.tsx";
import { NewWorkspaceDialog } from "./new-workspace-dialog.tsx";

export function GeneralSection({ workspace }: { workspace: Workspace }) {
  return (
    <>
      <Panel title="General" padded>
        {workspace.is_admin ? (
          <NameForm workspace={workspace} />
        ) : (
          <dl>
            <dt className="text-text-3 text-sm">Name</dt>
            <dd dir="auto">{workspace.name}</dd>
          </dl>
        )}
      </Panel>
      <Workspaces current={workspace} />
      <DeletionsPanel />
      {workspace.is_admin && <DeleteWorkspace workspace={workspace} />}
    </>
  );
}

function NameForm({ workspace }: { workspace: Workspace }) {
  const [name, setName] = useState(workspace.name);
  const save = useSend({
    send: () => changeWorkspace(workspace.id, { name }),
    stale: [["workspace"]],
    onDone: () => toast({ title: "Saved", tone: "success" }),
  });
  const nameError = errorOf(save.error, "name");
  const isChanged = name !== workspace.name;
  return (
    <SettingsForm
      dirty={isChanged && !save.isPending}
      error={save.error}
      onSubmit={() => isChanged && !save.isPending && save.mutate()}
    >
      <FormError>{save.error && !nameError && reasonOf(save.error)}</FormError>
      <NameField value={name} onChange={setName} error={nameError} className="max-w-100" />
      <SaveButton busy={save.isPending} disabled={!isChanged} />
    </SettingsForm>
  );
}

function Workspaces({ current }: { current: Workspace }) {
  const workspaces = useWorkspaces();
  const { is_admin: mayMake } = useProfile();
  const [isMaking, setMaking] = useState(false);
  if (workspaces.length < 2 && !mayMake) return null;
  return (
    <Panel
      title="Your workspaces"
      lead="Each has its own people, roles, teams and projects."
      actions={
        mayMake && (
          <Button icon={Plus} onClick={() => setMaking(true)}>
            New workspace
          </Button>
        )
      }
    >
      <PanelList label="Your workspaces">
        {workspaces.map(({ id, name, is_admin }) => (
          <PanelRow
            key={id}
            end={
              id === current.id ? (
                <span className="text-text-3">Current</span>
              ) : (
                <Link
                  to="/workspaces/$workspaceId/settings"
                  params={{ workspaceId: String(id) }}
                  className={buttonClass({ size: "sm" })}
                >
                  Settings<span className="sr-only"> of {name}</span>
                </Link>
              )
            }
          >
            <TwoLines title={name} badges={is_admin && <Badge>Administrator</Badge>} />
          </PanelRow>
        ))}
      </PanelList>
      {isMaking && <NewWorkspaceDialog onClose={() => setMaking(false)} />}
    </Panel>
  );
}
