import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Profile } from "../../../shared/people.ts";
import type { PersonalToken } from "../../../shared/personal-tokens.ts";
import type { Session } from "../../../shared/sessions.ts";
import type { Identity, SecondFactor } from "../../../shared/sign-in.ts";
import { allPages } from "../../api/all-pages.ts";
import { api } from "../../api/client.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { useOptimistic } from "../cache/use-optimistic.ts";
import { profileQuery } from "./session.ts";

// Kinds of their own. Live updates are about personal tokens only, as a part of the profile.
export const sessionsQuery = queryOptions({
  queryKey: ["own_session", null],
  queryFn: ({ signal }) => allPages<Session>("/api/profile/sessions", 1_000, signal),
});

export const tokensQuery = queryOptions({
  queryKey: ["own_token", null],
  queryFn: ({ signal }) => allPages<PersonalToken>("/api/profile/tokens", 1_000, signal),
});

export const secondFactorQuery = queryOptions({
  queryKey: ["own_second_factor", null],
  queryFn: ({ signal }) => api.get<SecondFactor>("/api/profile/second-factor", signal),
});

export const identitiesQuery = queryOptions({
  queryKey: ["own_identity", null],
  queryFn: ({ signal }) => allPages<Identity>("/api/profile/identities", 200, signal),
});

/** Changes fields of the profile. */
export function useChangeProfile(path: "/api/profile" | "/api/profile/notification-preferences") {
  const put = (client: QueryClient, changes: Partial<Profile>) => {
    const profile = client.getQueryData(profileQuery.queryKey);
    return profile ? patchEverywhere(client, "profile", profile.id, changes) : () => {};
  };
  return useOptimistic<Partial<Profile>, Profile>({
    key: profileQuery.queryKey,
    send: (changes) =>
      path === "/api/profile" ? api.patch<Profile>(path, changes) : api.post<Profile>(path, changes),
    patch: put,
    onAnswer: put,
    failed: "Your change could not be saved",
  });
}
