import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { IngestKey } from "../../../shared/ingest-keys.ts";
import type { Project } from "../../../shared/projects.ts";
import { ingestKeys } from "../../data/projects/project-parts.ts";
import { ingestKeysQuery } from "../../data/projects/project-settings.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { IngestKeyDialog } from "./ingest-key-dialog.tsx";
import { IngestKeyRow } from "./ingest-key-row.tsx";

type Opened = { kind: "add" } | { kind: "edit" | "delete"; ingestKey: IngestKey } | undefined;

/** Requires `project:update`. */
export function IngestKeysPanel({ project }: { project: Project }) {
  const keys = useQuery(ingestKeysQuery(project.id));
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <Panel
      title="Ingest keys"
      lead="A key can only send errors to this project, so it may be part of a web page. Use one for each app, so that you can turn them off separately."
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setOpened({ kind: "add" })}>
          New key
        </Button>
      }
    >
      <Loaded query={keys}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>
              No ingest keys. Without one, apps can send errors with a project token only.
            </PanelEmpty>
          ) : (
            <PanelList label="Ingest keys">
              {list.map((ingestKey) => (
                <IngestKeyRow
                  key={ingestKey.id}
                  project={project}
                  ingestKey={ingestKey}
                  onEdit={() => setOpened({ kind: "edit", ingestKey })}
                  onDelete={() => setOpened({ kind: "delete", ingestKey })}
                />
              ))}
            </PanelList>
          )
        }
      </Loaded>
      {opened?.kind === "add" && <IngestKeyDialog project={project} onClose={close} />}
      {opened?.kind === "edit" && (
        <IngestKeyDialog project={project} ingestKey={opened.ingestKey} onClose={close} />
      )}
      <DeleteKey
        project={project}
        ingestKey={opened?.kind === "delete" ? opened.ingestKey : undefined}
        onClose={close}
      />
    </Panel>
  );
}

type DeleteProps = { project: Project; ingestKey: IngestKey | undefined; onClose: () => void };

function DeleteKey({ project, ingestKey, onClose }: DeleteProps) {
  const remove = useSend({
    send: () => ingestKeys.delete(project.id, ingestKey?.id),
    stale: [["ingest_key", project.id]],
  });
  return (
    <ConfirmDialog
      open={ingestKey !== undefined}
      onClose={onClose}
      title={`Delete ${ingestKey?.name ?? ""}?`}
      confirm="Delete key"
      done={`Ingest key ${ingestKey?.name} deleted`}
      onConfirm={() => remove.mutateAsync()}
    >
      Apps that use it can no longer send errors. What they sent is kept. To block them temporarily, turn the
      key off instead.
    </ConfirmDialog>
  );
}
