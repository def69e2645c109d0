import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { GitConnection } from "../../../shared/git.ts";
import type { Project } from "../../../shared/projects.ts";
import { changeGitConnection, deleteGitConnection } from "../../data/integrations/git.ts";
import { PanelRow } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { CopyButton } from "../../kit/copy-button.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Switch } from "../../kit/switch.tsx";
import { GIT_SERVICES } from "../services.ts";
import { RenameConnection } from "./rename-connection.tsx";

type Props = { project: Project; connection: GitConnection };

/** A connection with its address, what opening a request does, and buttons that rename and delete it. */
export function ConnectionItem({ project, connection }: Props) {
  const { id, host, url, on_open, last_delivery_at } = connection;
  const name = connection.name ?? GIT_SERVICES[host].label;
  const stale = [["git_connection", project.id]];
  const [isDeleting, setDeleting] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const change = useSend<boolean>({
    send: (moves) => changeGitConnection(project.id, id, { on_open: moves ? "doing" : null }),
    stale,
    failed: "The connection could not be changed",
  });
  const remove = useSend({ send: () => deleteGitConnection(project.id, id), stale });
  return (
    <PanelRow
      end={
        <>
          <IconButton size="sm" label={`Rename ${name}`} icon={Pencil} onClick={() => setRenaming(true)} />
          <IconButton size="sm" label={`Delete ${name}`} icon={Trash2} onClick={() => setDeleting(true)} />
        </>
      }
    >
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-text-3 flex min-w-0 items-center gap-1 text-sm">
          <span className="min-w-0 truncate font-mono" title={url}>
            {url}
          </span>
          <CopyButton label={`Copy the URL of ${name}`} text={url} />
        </p>
        <p className="text-text-3 text-sm">
          {last_delivery_at === null ? (
            "No delivery yet"
          ) : (
            <>
              Last delivery <Time at={last_delivery_at} />
            </>
          )}
        </p>
        <Switch
          label="Move issues to “In progress” when a request that names them is opened"
          checked={change.isPending ? change.variables : on_open === "doing"}
          disabled={change.isPending}
          onChange={(moves) => change.mutate(moves)}
        />
      </div>
      {isRenaming && (
        <RenameConnection project={project} connection={connection} onClose={() => setRenaming(false)} />
      )}
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete the connection ${name}?`}
        confirm="Delete connection"
        done={`Connection ${name} deleted`}
        onConfirm={() => remove.mutateAsync()}
      >
        Its commits and requests stay linked, but no longer change. Delete the webhook at{" "}
        {GIT_SERVICES[host].label}, too.
      </ConfirmDialog>
    </PanelRow>
  );
}
