import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Workspace } from "../../shared/workspaces.ts";
import { createTeam } from "../data/projects/change-workspace.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelEmpty } from "../forms/panel.tsx";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { NameDialog } from "./name-dialog.tsx";
import { teamsQuery } from "../data/projects/workspaces.ts";
import { TeamItem } from "./team-item.tsx";

export function TeamsSection({ workspace }: { workspace: Workspace }) {
  const teams = useQuery(teamsQuery(workspace.id));
  const [isMaking, setMaking] = useState(false);
  const make = useSend({
    send: (name: string) => createTeam(workspace.id, name),
    stale: [["team"]],
    onDone: () => setMaking(false),
  });
  return (
    <Panel
      title="Teams"
      lead="Members of a team have access to its projects for as long as they are in the team."
      actions={
        workspace.is_admin && (
          <Button
            variant="primary"
            icon={Plus}
            onClick={() => {
              make.reset();
              setMaking(true);
            }}
          >
            New team
          </Button>
        )
      }
    >
      <Loaded query={teams}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>
              No teams yet. Use a team to give several people access to the same projects.
            </PanelEmpty>
          ) : (
            <ul aria-label="Teams" className="divide-line divide-y">
              {list.map((team) => (
                <li key={team.id} className="px-4 py-2">
                  <TeamItem workspace={workspace} team={team} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isMaking && (
        <NameDialog
          title="New team"
          submit="Create team"
          busy={make.isPending}
          error={make.error}
          onSubmit={(name) => make.mutate(name)}
          onClose={() => setMaking(false)}
        />
      )}
    </Panel>
  );
}
