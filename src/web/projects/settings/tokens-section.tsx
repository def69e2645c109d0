import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import type { ProjectToken } from "../../../shared/project-tokens.ts";
import { projectTokens } from "../../data/projects/project-parts.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { Loaded } from "../../forms/loaded.tsx";
import { EditTokenDialog } from "./edit-token-dialog.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { Panel, PanelEmpty, PanelList } from "../../forms/panel.tsx";
import { tokensQuery } from "../../data/projects/project-settings.ts";
import { TokenRow } from "./token-row.tsx";
import { useSend } from "../../forms/use-send.ts";

type Opened = { kind: "add" } | { kind: "edit" | "revoke"; token: ProjectToken } | undefined;

/** The tokens that apps send reports and errors with. Requires `project:update`. */
export function TokensSection({ project }: { project: Project }) {
  const tokens = useQuery(tokensQuery(project.id));
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <Panel
      title="Tokens"
      lead={
        <>
          Tokens let your programs send and read errors and reports. A token has at most the permissions of
          the person who created it, and stops working when they lose access. Never put one into a web page or
          an app that others install, because it can read. Use an{" "}
          <Link to="." search={{ section: "ingestion" }} className="text-accent-text underline">
            ingest key
          </Link>{" "}
          there.
        </>
      }
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setOpened({ kind: "add" })}>
          New token
        </Button>
      }
    >
      <Loaded query={tokens}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>
              No tokens yet. Create one for each app, so that you can revoke them separately.
            </PanelEmpty>
          ) : (
            <PanelList label="Tokens">
              {list.map((token) => (
                <TokenRow
                  key={token.id}
                  project={project}
                  token={token}
                  onEdit={() => setOpened({ kind: "edit", token })}
                  onRevoke={() => setOpened({ kind: "revoke", token })}
                />
              ))}
            </PanelList>
          )
        }
      </Loaded>
      {opened?.kind === "add" && <NewTokenDialog project={project} onClose={close} />}
      {opened?.kind === "edit" && <EditTokenDialog project={project} token={opened.token} onClose={close} />}
      <RevokeToken
        project={project}
        token={opened?.kind === "revoke" ? opened.token : undefined}
        onClose={close}
      />
    </Panel>
  );
}

type RevokeProps = { project: Project; token: ProjectToken | undefined; onClose: () => void };

function RevokeToken({ project, token, onClose }: RevokeProps) {
  const revoke = useSend({
    send: () => projectTokens.delete(project.id, token?.id),
    stale: [["token", project.id]],
  });
  return (
    <ConfirmDialog
      open={token !== undefined}
      onClose={onClose}
      title={`Revoke ${token?.name ?? ""}?`}
      confirm="Revoke token"
      done={`Token ${token?.name} revoked`}
      onConfirm={() => revoke.mutateAsync()}
    >
      Apps that use it will lose access immediately. What they sent is kept. To block them temporarily, turn
      the token off instead.
    </ConfirmDialog>
  );
}
