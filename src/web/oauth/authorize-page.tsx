import { useQuery } from "@tanstack/react-query";
import { Navigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiError, withQuery } from "../api/client.ts";
import { authorizationQuery } from "../data/account/authorization.ts";
import { profileQuery } from "../data/account/session.ts";
import { nameOf } from "../data/projects/people.ts";
import { projectsQuery } from "../data/projects/projects.ts";
import { LinkButton } from "../kit/button.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { Spinner } from "../kit/spinner.tsx";
import { PublicPage } from "../session/public-frame.tsx";
import { ConsentForm } from "./consent-form.tsx";

/** Where an app sends people who want to connect it. People who are not signed in sign in first and come back. */
export function AuthorizePage() {
  const request = useSearch({ from: "/oauth/authorize" });
  const profile = useQuery(profileQuery);
  const isSignedIn = profile.data !== undefined;
  const projects = useQuery({ ...projectsQuery, enabled: isSignedIn });
  const authorization = useQuery({ ...authorizationQuery(request), enabled: isSignedIn });

  if (isUnauthorized(profile.error))
    return <Navigate to="/sign-in" search={{ return_to: withQuery("/oauth/authorize", request) }} replace />;
  if (authorization.error instanceof ApiError && authorization.error.status === 422)
    return <Unusable reason={authorization.error.message} />;
  const error = profile.error ?? projects.error ?? authorization.error;
  if (error)
    return (
      <PublicPage title="Connect an app">
        <ErrorState
          error={error}
          retry={() => void Promise.all([profile, projects, authorization].map((query) => query.refetch()))}
        />
      </PublicPage>
    );
  if (!profile.data || !projects.data || !authorization.data)
    return (
      <PublicPage title="Connect an app">
        <Spinner label="Loading" />
      </PublicPage>
    );
  const { client, problem, redirect_host } = authorization.data;
  if (problem)
    return (
      <Unusable reason={problem.message}>
        <LinkButton href={problem.redirect_to}>Return to {redirect_host}</LinkButton>
      </Unusable>
    );
  return (
    <PublicPage
      title={`Connect ${client.name}?`}
      lead={`It will act as you, ${nameOf(profile.data)} (${profile.data.username}), but only where you allow it.`}
      width="max-w-140"
    >
      <ConsentForm request={request} authorization={authorization.data} projects={projects.data} />
    </PublicPage>
  );
}

const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === 401;

function Unusable({ reason, children }: { reason: string; children?: ReactNode }) {
  return (
    <PublicPage
      title="This app can’t be connected"
      lead="Its request is invalid. Only its developers can correct that."
    >
      <div className="flex flex-col items-start gap-3">
        <p className="text-text-2 max-w-full break-words">
          <code>{reason}</code>
        </p>
        {children}
      </div>
    </PublicPage>
  );
}
