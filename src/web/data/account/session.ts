import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import type { Profile } from "../../../shared/people.ts";
import { api } from "../../api/client.ts";

/** Whether the installation still has to be set up. */
export const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: ({ signal }) => api.get<{ required: boolean }>("/api/setup", signal),
});

/** The signed-in person. Fails with 401 if nobody is signed in. */
export const profileQuery = queryOptions({
  queryKey: ["profile"],
  queryFn: ({ signal }) => api.get<Profile>("/api/profile", signal),
  staleTime: 5 * 60_000,
  retry: false,
});

/** The signed-in person. Only below the `app` route, which loads the profile first. */
export function useProfile(): Profile {
  return useSuspenseQuery(profileQuery).data;
}
