import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { acceptInvitationBody, InvitationPreview } from "../../../shared/invitations.ts";
import type { resetPasswordBody } from "../../../shared/passwords.ts";
import type { Profile, setupBody } from "../../../shared/people.ts";
import type { signInBody, SignInMethods } from "../../../shared/sign-in.ts";
import { api } from "../../api/client.ts";
import { forgetCopies, forgetEverything } from "../cache/copies.ts";

/** Creates the first user and their workspace, and signs them in. */
export const setUp = (body: z.input<typeof setupBody>) => beginSession(api.post<Profile>("/api/setup", body));

/** The copies in this browser may be those of the person who was signed in before. */
async function beginSession<T>(request: Promise<T>): Promise<T> {
  const answer = await request;
  await forgetCopies();
  return answer;
}

export const signInMethodsQuery = queryOptions({
  queryKey: ["sign-in"],
  queryFn: ({ signal }) => api.get<SignInMethods>("/api/sign-in", signal),
});

export const signIn = (credentials: z.input<typeof signInBody>) =>
  beginSession(api.post<Profile>("/api/session", credentials));

export async function endThisSession(): Promise<void> {
  await api.delete("/api/session");
  await forgetEverything();
}

export const requestPasswordReset = (email: string) => api.post("/api/password/forgot", { email });

export const resetPassword = (body: z.input<typeof resetPasswordBody>) =>
  api.post("/api/password/reset", body);

export const confirmAddress = (token: string) =>
  api.post<Profile>("/api/profile/email-confirmation/confirm", { token });

const invitationPath = (token: string) => `/api/invitations/${encodeURIComponent(token)}`;

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => api.get<InvitationPreview>(invitationPath(token), signal),
  });

/** Joins as the signed-in person, or creates an account for a new one. */
export const acceptInvitation = (token: string, person: z.input<typeof acceptInvitationBody> | undefined) =>
  beginSession(api.post<Profile>(invitationPath(token), person));
