import { Link } from "@tanstack/react-router";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, messageOf } from "../api/client.ts";
import { listenLive } from "../data/live.ts";
import { profileQuery } from "../data/session.ts";
import { tokensQuery } from "../data/project-settings.ts";
import { FirstEvent } from "../projects/first-event.tsx";
import { SetupSnippets } from "../projects/setup-snippets.tsx";
import { Button, buttonClass } from "../kit/button.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Spinner } from "../kit/spinner.tsx";
import { keptToken } from "./kept-token.ts";

/** Creates a token, shows code that sends an event with it, and waits for the event. */
export function FirstEventStep({ project }: { project: { id: number; key: string } }) {
  const client = useQueryClient();
  const tokens = useQuery(tokensQuery(project.id));
  const create = useMutation({
    mutationFn: (id: number) =>
      api.post<{ token: string }>(`/api/projects/${id}/tokens`, {
        name: "First program",
        access: "read_write",
      }),
    onSuccess: ({ token }, id) => keptToken.keep(id, token),
  });
  const userId = useQuery(profileQuery).data?.id;
  useEffect(() => (userId === undefined ? undefined : listenLive(client, userId).close), [client, userId]);
  const token = create.data?.token ?? keptToken.read(project.id);
  const [existing] = tokens.data ?? [];
  return (
    <div className="flex flex-col gap-4">
      <FormError>{create.error && messageOf(create.error)}</FormError>
      {token !== undefined ? (
        <p>
          The code below contains the token. It won’t be shown again, but you can create another one in the
          project settings.
        </p>
      ) : tokens.isPending ? (
        <Spinner label="Loading" />
      ) : (
        <div className="flex flex-col items-start gap-2">
          {existing && (
            <p>
              This project has a token, “{existing.name}” (…{existing.last_four}). Put it into the code below,
              or create another one.
            </p>
          )}
          <Button busy={create.isPending} onClick={() => create.mutate(project.id)}>
            {existing ? "Create another token" : "Create token"}
          </Button>
        </div>
      )}
      <SetupSnippets projectKey={project.key} token={token} />
      <FirstEvent project={project} />
      <div>
        <Link
          to="/projects/$projectKey"
          params={{ projectKey: project.key }}
          className={buttonClass({ variant: "primary" })}
          onClick={() => keptToken.forget(project.id)}
        >
          Go to project
        </Link>
      </div>
    </div>
  );
}
