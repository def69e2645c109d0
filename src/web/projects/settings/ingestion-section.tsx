import { useQuery } from "@tanstack/react-query";
import type { Project } from "../../../shared/projects.ts";
import { ingestKeysQuery } from "../../data/projects/project-settings.ts";
import { can } from "../../data/projects/projects.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel } from "../../forms/panel.tsx";
import { FeatureOff } from "../../kit/feature-off.tsx";
import { FirstEvent } from "../first-event.tsx";
import { SendErrors } from "../send-errors.tsx";
import { ForwardingPanel } from "./forwarding-panel.tsx";
import { IngestKeysPanel } from "./ingest-keys-panel.tsx";

/** The keys that apps send errors with, the code for it, and whether any errors have arrived. */
export function IngestionSection({ project }: { project: Project }) {
  if (!project.features.error_tracking)
    return (
      <FeatureOff message="Error tracking is turned off in this workspace. An administrator can turn it on." />
    );
  const mayManage = can(project, "project:update");
  return (
    <>
      {mayManage && <IngestKeysPanel project={project} />}
      <Panel
        title="Send errors from your app"
        lead={
          mayManage
            ? "The code contains the DSN of an ingest key. It may be part of a web page."
            : "Replace YOUR_INGEST_KEY with an ingest key. Someone who manages the project can give you one."
        }
        padded
      >
        {mayManage ? <SendWithKeys project={project} /> : <SendErrors project={project} keys={[]} />}
      </Panel>
      {can(project, "error-groups:read") && (
        <Panel title="Latest event" lead="This updates automatically when an event arrives." padded>
          <FirstEvent project={project} />
        </Panel>
      )}
      {mayManage && <ForwardingPanel project={project} />}
    </>
  );
}

function SendWithKeys({ project }: { project: Project }) {
  const keys = useQuery(ingestKeysQuery(project.id));
  return (
    <Loaded query={keys} rows={10}>
      {(list) => <SendErrors project={project} keys={list.filter(({ active }) => active)} />}
    </Loaded>
  );
}
