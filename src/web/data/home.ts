import { queryOptions } from "@tanstack/react-query";
import type { Home } from "../../shared/home.ts";
import { api } from "../api/client.ts";

const EVERY_MS = 60_000;

/**
 * Everything on the home page. It is refetched once a minute rather than by live updates: those of one busy project
 * would otherwise count all projects again every second.
 */
export const homeQuery = queryOptions({
  queryKey: ["home"],
  queryFn: ({ signal }) => api.get<Home>("/api/home", signal),
  // Going back to the page starts with what is cached, and shows the current state as soon as it arrives.
  staleTime: 0,
  refetchInterval: EVERY_MS,
});

/** Remembers what the user has seen. The browser sends it even while the page unloads; a failure changes nothing. */
export function leaveHome({ read_at }: Home): void {
  const body = new Blob([JSON.stringify({ seen_at: read_at })], { type: "application/json" });
  navigator.sendBeacon("/api/home/visit", body);
}
