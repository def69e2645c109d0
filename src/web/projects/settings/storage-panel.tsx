import { useQuery } from "@tanstack/react-query";
import type { Project } from "../../../shared/projects.ts";
import { storageQuery } from "../../data/projects/project-settings.ts";
import { Panel } from "../../forms/panel.tsx";
import { byteText } from "../../kit/byte-text.ts";

/** How much the project's attachments take up. */
export function StoragePanel({ project }: { project: Project }) {
  const { data } = useQuery(storageQuery(project.id));
  if (!data) return null;
  const { bytes, quota } = data;
  return (
    <Panel title="Storage" padded>
      <p>
        {quota === null
          ? `Attachments take up ${byteText(bytes)}.`
          : `Attachments take up ${byteText(bytes)} of ${byteText(quota)}.`}
      </p>
      {quota !== null && bytes >= quota * 0.9 && (
        <p className="text-text-2">
          Uploads beyond the quota are rejected. Delete reports with attachments, or ask the operator of this
          server for more.
        </p>
      )}
    </Panel>
  );
}
