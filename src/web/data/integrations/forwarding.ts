import { queryOptions } from "@tanstack/react-query";
import type { Forwarding } from "../../../shared/forwarding.ts";
import type { ProjectDetail } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";

/** How often the counts are read again while there is a DSN, in milliseconds. */
const EVERY_MS = 5_000;

/** The masked DSN of the server that envelopes are forwarded to, or an empty text, which lists of projects do not have. */
export const forwardDsnQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["forward_dsn", projectId],
    queryFn: async ({ signal }) =>
      (await api.get<ProjectDetail>(`/api/projects/${projectId}`, signal)).forward_dsn ?? "",
  });

/** Counts change without a live update. */
export const forwardingQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["forwarding", projectId],
    queryFn: ({ signal }) => api.get<Forwarding>(`/api/projects/${projectId}/forwarding`, signal),
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });

export const saveForwardDsn = (projectId: number, dsn: string) =>
  api.patch(`/api/projects/${projectId}`, { forward_dsn: dsn === "" ? null : dsn });
