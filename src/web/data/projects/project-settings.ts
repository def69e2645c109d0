import { queryOptions } from "@tanstack/react-query";
import type { ProjectStorage } from "../../../shared/attachments.ts";
import type { InboundRule } from "../../../shared/inbound-rules.ts";
import type { IngestKey } from "../../../shared/ingest-keys.ts";
import type { PrivacyRule } from "../../../shared/privacy-rules.ts";
import type { ProjectMember } from "../../../shared/projects.ts";
import type { ProjectToken } from "../../../shared/project-tokens.ts";
import type { ProjectTeam } from "../../../shared/teams.ts";
import type { Page } from "../../../shared/answers.ts";
import type { UsageDay } from "../../../shared/usage.ts";
import { allPages } from "../../api/all-pages.ts";
import { api } from "../../api/client.ts";

/** People who were added to the project directly. Administrators and members of its teams have access as well. */
export const projectMembersQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["member", projectId],
    queryFn: ({ signal }) => allPages<ProjectMember>(`/api/projects/${projectId}/members`, 1_000, signal),
  });

export const projectTeamsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["team", projectId],
    queryFn: ({ signal }) => allPages<ProjectTeam>(`/api/projects/${projectId}/teams`, 1_000, signal),
  });

export const tokensQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["token", projectId],
    queryFn: ({ signal }) => allPages<ProjectToken>(`/api/projects/${projectId}/tokens`, 1_000, signal),
  });

export const ingestKeysQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["ingest_key", projectId],
    queryFn: ({ signal }) => allPages<IngestKey>(`/api/projects/${projectId}/ingest-keys`, 1_000, signal),
  });

/** The built-in rules, then the project's own. */
export const privacyRulesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["project_rule", projectId, "privacy"],
    queryFn: async ({ signal }) =>
      (await api.get<Page<PrivacyRule>>(`/api/projects/${projectId}/privacy-rules`, signal)).data,
  });

/** The counts of dropped events change without a live update. */
export const inboundRulesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["project_rule", projectId, "inbound"],
    queryFn: ({ signal }) => allPages<InboundRule>(`/api/projects/${projectId}/inbound-rules`, 1_000, signal),
    staleTime: 0,
  });

/** Live updates of errors make it stale, because events change both. */
export const usageQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "usage"],
    queryFn: async ({ signal }) =>
      (await api.get<{ data: UsageDay[] }>(`/api/projects/${projectId}/usage`, signal)).data,
    staleTime: 0,
  });

/** How much the attachments take up. */
export const storageQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["storage", projectId],
    queryFn: ({ signal }) => api.get<ProjectStorage>(`/api/projects/${projectId}/storage`, signal),
    staleTime: 0,
  });

const MAX_COUNTED = 200;

/** The number of issues in a lane, counted up to 200. */
export const laneCountQuery = (projectId: number, laneId: number) =>
  queryOptions({
    queryKey: ["issue", projectId, "lane-count", laneId],
    queryFn: async ({ signal }) => {
      const path = `/api/projects/${projectId}/issues?lane_id=${laneId}&limit=${MAX_COUNTED}`;
      const { data, meta } = await api.get<Page<unknown>>(path, signal);
      return { count: data.length, isMore: meta.next_cursor !== null };
    },
    staleTime: 0,
  });
