import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import type { Artifact } from "../../../shared/source-maps.ts";
import { deleteArtifact } from "../../data/errors/artifacts.ts";
import { PanelList, PanelRow } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { byteText } from "../../kit/byte-text.ts";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { IconButton } from "../../kit/icon-button.tsx";

type Props = { project: Project; version: string; artifacts: readonly Artifact[]; mayDelete: boolean };

const TYPES = { source_map: "Source map", source: "Minified file or source" } as const;

/** The files that were uploaded for a release, each with a button that deletes it. */
export function ArtifactList({ project, version, artifacts, mayDelete }: Props) {
  const [deleting, setDeleting] = useState<Artifact>();
  const remove = useSend({
    send: () => deleteArtifact(project.id, version, deleting?.id),
    stale: [
      ["release", project.id],
      ["kept_event", project.id],
    ],
  });
  return (
    <div className="rounded-md border border-line bg-surface">
      <PanelList label="Uploaded files">
        {artifacts.map((artifact) => (
          <PanelRow
            key={artifact.id}
            end={
              mayDelete && (
                <IconButton
                  size="sm"
                  label={`Delete ${artifact.name}`}
                  icon={Trash2}
                  onClick={() => setDeleting(artifact)}
                />
              )
            }
          >
            <div className="min-w-0 flex-1">
              <p className="font-mono text-sm wrap-anywhere">{artifact.name}</p>
              <p className="text-sm text-text-3">
                {TYPES[artifact.type]} · {byteText(artifact.size)} · uploaded{" "}
                <Time at={artifact.created_at} />
                {artifact.debug_id !== null && (
                  <>
                    {" "}
                    · debug id <span className="font-mono wrap-anywhere">{artifact.debug_id}</span>
                  </>
                )}
              </p>
            </div>
          </PanelRow>
        ))}
      </PanelList>
      <ConfirmDialog
        open={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={`Delete ${deleting?.name ?? ""}?`}
        confirm="Delete file"
        done={`${deleting?.name} deleted`}
        onConfirm={() => remove.mutateAsync()}
      >
        Errors whose code it maps will show their minified lines again until it is uploaded again.
      </ConfirmDialog>
    </div>
  );
}
