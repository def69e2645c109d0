import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Profile } from "../../shared/people.ts";
import { api } from "../api/client.ts";

/** Whether nobody has set the installation up yet. */
export const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: ({ signal }) => api.get<{ required: boolean }>("/api/setup", signal),
});

/** Who is signed in; 401 when nobody is. */
export const profileQuery = queryOptions({
  queryKey: ["profile"],
  queryFn: ({ signal }) => api.get<Profile>("/api/profile", signal),
  staleTime: 5 * 60_000,
  retry: false,
});

/** The signed-in person. Only below the `app` route, which has loaded it. */
export function useProfile(): Profile {
  return useSuspenseQuery(profileQuery).data;
}

/** Ends the session, forgets everything that was read in it, and shows the sign-in page. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.delete("/api/session"),
    onSuccess: async () => {
      client.clear();
      await navigate({ to: "/sign-in" });
    },
  });
}
