import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import type { Profile } from "../../shared/people.ts";
import { api, messageOf, written } from "../api/client.ts";
import { pendingMarks } from "./pending-marks.ts";
import { toast } from "../kit/toast.tsx";
import { flushUndoables } from "../kit/undo-bar.tsx";

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

/** A request that takes longer than this does not keep anybody from signing out. */
const LONGEST_WRITE_MS = 5_000;

/**
 * Does what can still be undone or waits to be sent, and ends the session. The sign-in page is a new page, so that nothing
 * goes over to whoever signs in next.
 */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      flushUndoables();
      // Nobody has marks who has not opened the inbox, which is a large part of its own.
      if (pendingMarks.get().size > 0) void (await import("./send-marks.ts")).sendNow(client);
      await written(LONGEST_WRITE_MS);
      await api.delete("/api/session");
    },
    onSuccess: () => location.replace("/sign-in"),
    onError: (error) => toast({ title: "Not signed out.", description: messageOf(error), tone: "danger" }),
  });
}
