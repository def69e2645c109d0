import { Link } from "@tanstack/react-router";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { listenLive } from "../data/live.ts";
import { ingestKeysQuery } from "../data/projects/project-settings.ts";
import { profileQuery } from "../data/account/session.ts";
import { Loaded } from "../forms/loaded.tsx";
import { FirstEvent } from "../projects/first-event.tsx";
import { SendErrors } from "../projects/send-errors.tsx";
import { buttonClass } from "../kit/button.tsx";

/** Shows code that sends an event with the project's ingest key, and waits for the event. */
export function FirstEventStep({ project }: { project: { id: number; key: string } }) {
  const client = useQueryClient();
  const keys = useQuery(ingestKeysQuery(project.id));
  const userId = useQuery(profileQuery).data?.id;
  useEffect(() => (userId === undefined ? undefined : listenLive(client, userId).close), [client, userId]);
  return (
    <div className="flex flex-col gap-4">
      <Loaded query={keys} rows={10}>
        {(list) => <SendErrors project={project} heading="h2" keys={list.filter(({ active }) => active)} />}
      </Loaded>
      <FirstEvent project={project} />
      <div>
        <Link
          to="/projects/$projectKey"
          params={{ projectKey: project.key }}
          className={buttonClass({ variant: "primary" })}
        >
          Go to project
        </Link>
      </div>
    </div>
  );
}
