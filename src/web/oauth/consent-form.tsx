import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import type { Authorization } from "../../shared/oauth.ts";
import type { Project } from "../../shared/projects.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { decideAuthorization } from "../data/account/authorization.ts";
import { Button } from "../kit/button.tsx";
import { FormError } from "../kit/form-error.tsx";
import { TokenLimits, type Limits } from "../profile/token-limits.tsx";
import { levelsOf, scopesOf } from "../profile/token-scopes.ts";

type Props = {
  request: Record<string, string | undefined>;
  authorization: Authorization;
  projects: readonly Project[];
};

/** Who asks, what the person allows, and the decision. */
export function ConsentForm({ request, authorization, projects }: Props) {
  const [limits, setLimits] = useState<Limits>({
    levels: levelsOf(authorization.scopes),
    projectIds: projects.length === 1 ? projects.map(({ id }) => id) : [],
  });
  const decide = useMutation({
    mutationFn: (approve: boolean) =>
      decideAuthorization(request, {
        approve,
        ...(approve && { scopes: scopesOf(limits.levels), project_ids: [...limits.projectIds] }),
      }),
    onSuccess: ({ redirect_to }) => window.location.assign(redirect_to),
  });
  // Until the browser has left the page, the decision must not be sent again.
  const isBusy = decide.isPending || decide.isSuccess;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) decide.mutate(true);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Identity authorization={authorization} />
      {projects.length === 0 && (
        <FormError>You can’t access any project yet, so there is nothing to allow.</FormError>
      )}
      <FormError>{decide.error && !isOfField(decide.error) && messageOf(decide.error)}</FormError>
      <TokenLimits limits={limits} onChange={setLimits} error={decide.error} />
      <p className="text-text-2">
        Only continue if you know this app and have just asked it to connect. You can disconnect it at any
        time in your profile, under Tokens.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isBusy && decide.variables}>
          Allow access
        </Button>
        <Button busy={isBusy && !decide.variables} onClick={() => !isBusy && decide.mutate(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function Identity({ authorization: { client, redirect_host, is_local } }: Pick<Props, "authorization">) {
  return (
    <dl className="border-line bg-sunken grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md border px-3 py-2">
      <dt className="text-text-2">App</dt>
      <dd dir="auto" className="min-w-0 font-medium break-words">
        {client.name}
      </dd>
      <dt className="text-text-2">Published by</dt>
      <dd className="min-w-0 break-words">{client.published_by ?? "Unknown. The app chose its own name."}</dd>
      <dt className="text-text-2">Sends you to</dt>
      <dd className="min-w-0 break-words">
        <strong className="font-medium">{redirect_host}</strong>
        {is_local && " (a program on this computer)"}
      </dd>
    </dl>
  );
}

const FIELDS = ["scopes", "project_ids"];

/** Whether the fields show the error. */
const isOfField = (error: Error) =>
  error instanceof ApiError && FIELDS.some((field) => error.messageFor(field) !== undefined);
