import { EllipsisVertical } from "lucide-react";
import { useState } from "react";
import type { Team } from "../../shared/teams.ts";
import type { Workspace } from "../../shared/workspaces.ts";
import { deleteTeam, renameTeam } from "../data/projects/change-workspace.ts";
import { useSend } from "../forms/use-send.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { Disclosure } from "../kit/disclosure.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import { NameDialog } from "./name-dialog.tsx";
import { TeamDetails } from "./team-details.tsx";

type Props = { workspace: Workspace; team: Team };

/** A team; it expands to show its members and projects. */
export function TeamItem({ workspace, team }: Props) {
  const [opened, setOpened] = useState<"rename" | "delete">();
  const close = () => setOpened(undefined);
  const rename = useSend({
    send: (name: string) => renameTeam(workspace.id, team.id, name),
    stale: [["team"]],
    onDone: close,
  });
  const remove = useSend({
    send: () => deleteTeam(workspace.id, team.id),
    stale: [["team"], ["people"], ["project"]],
  });
  return (
    <>
      <Disclosure
        title={<TeamTitle team={team} />}
        aside={
          workspace.is_admin && (
            <Menu
              label={`Actions for ${team.name}`}
              align="end"
              trigger={<IconButton size="sm" icon={EllipsisVertical} label={`Actions for ${team.name}`} />}
              items={[
                { label: "Rename", onSelect: () => setOpened("rename") },
                { label: "Delete team", danger: true, onSelect: () => setOpened("delete") },
              ]}
            />
          )
        }
      >
        <TeamDetails workspace={workspace} teamId={team.id} />
      </Disclosure>
      {opened === "rename" && (
        <NameDialog
          title={`Rename ${team.name}`}
          submit="Rename"
          name={team.name}
          busy={rename.isPending}
          error={rename.error}
          onSubmit={(name) => rename.mutate(name)}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={opened === "delete"}
        onClose={close}
        title={`Delete ${team.name}?`}
        confirm="Delete team"
        done={`Team ${team.name} deleted`}
        onConfirm={() => remove.mutateAsync()}
      >
        Its members stay in the workspace, but lose access to projects that they have only through this team.
      </ConfirmDialog>
    </>
  );
}

function TeamTitle({ team }: { team: Team }) {
  return (
    <>
      <span dir="auto">{team.name}</span>{" "}
      <span className="text-text-3 ms-2 text-sm font-normal">
        {team.members_count === 1 ? "1 member" : `${team.members_count} members`}
      </span>
    </>
  );
}
