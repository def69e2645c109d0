import { Link } from "@tanstack/react-router";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, messageOf } from "../api/client.ts";
import { listenLive } from "../data/live.ts";
import { profileQuery } from "../data/session.ts";
import { FirstEvent } from "../projects/first-event.tsx";
import { SetupSnippets } from "../projects/setup-snippets.tsx";
import { Button, buttonClass } from "../kit/button.tsx";
import { FormError } from "../kit/form-error.tsx";

/** Creates a token, shows code that sends an event with it, and waits for the event. */
export function FirstEventStep({ project }: { project: { id: number; key: string } }) {
  const client = useQueryClient();
  const token = useMutation({
    mutationFn: (id: number) =>
      api.post<{ token: string }>(`/api/projects/${id}/tokens`, {
        name: "First program",
        access: "read_write",
      }),
  });
  const userId = useQuery(profileQuery).data?.id;
  useEffect(() => (userId === undefined ? undefined : listenLive(client, userId).close), [client, userId]);
  return (
    <div className="flex flex-col gap-4">
      <FormError>{token.error && messageOf(token.error)}</FormError>
      {token.data ? (
        <p>
          The code below contains the token. It won’t be shown again, but you can create another one in the
          project settings.
        </p>
      ) : (
        <div>
          <Button busy={token.isPending} onClick={() => token.mutate(project.id)}>
            Create token
          </Button>
        </div>
      )}
      <SetupSnippets projectKey={project.key} token={token.data?.token} />
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
