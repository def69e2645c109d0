import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Deletion } from "../../../shared/deletions.ts";
import type { Invitation } from "../../../shared/invitations.ts";
import type { Mail, MailSetup } from "../../../shared/mails.ts";
import type { Role } from "../../../shared/roles.ts";
import type { Team, TeamDetail } from "../../../shared/teams.ts";
import type { WorkspaceMember } from "../../../shared/workspaces.ts";
import type { Page } from "../../../shared/answers.ts";
import { allPages } from "../../api/all-pages.ts";
import { api, withQuery } from "../../api/client.ts";

export const workspaceMembersQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["member", null, workspaceId],
    queryFn: ({ signal }) =>
      allPages<WorkspaceMember>(`/api/workspaces/${workspaceId}/members`, 1_000, signal),
  });

export const rolesQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["role", null, workspaceId],
    queryFn: ({ signal }) => allPages<Role>(`/api/workspaces/${workspaceId}/roles`, 1_000, signal),
  });

export const teamsQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["team", null, workspaceId, "list"],
    queryFn: ({ signal }) => allPages<Team>(`/api/workspaces/${workspaceId}/teams`, 1_000, signal),
  });

export const teamQuery = (workspaceId: number, teamId: number) =>
  queryOptions({
    queryKey: ["team", null, workspaceId, "one", teamId],
    queryFn: ({ signal }) => api.get<TeamDetail>(`/api/workspaces/${workspaceId}/teams/${teamId}`, signal),
  });

/** For administrators. */
export const invitationsQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["workspace_invitation", null, workspaceId],
    queryFn: ({ signal }) =>
      allPages<Invitation>(`/api/workspaces/${workspaceId}/invitations`, 1_000, signal),
    staleTime: 0,
  });

/** The newest deletions of projects and workspaces, read again every two seconds while one is in progress. */
export const deletionsQuery = queryOptions({
  queryKey: ["deletion", null, "list"],
  queryFn: async ({ signal }) => (await api.get<Page<Deletion>>("/api/deletions", signal)).data,
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data?.some(({ finished_at }) => finished_at === null) ? 2_000 : false,
});

/** For administrators. */
export const mailSetupQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["mail_setup", null, workspaceId],
    queryFn: ({ signal }) => api.get<MailSetup>(`/api/workspaces/${workspaceId}/mail-setup`, signal),
  });

/** For administrators. Newest first, in pages. */
export const mailsQuery = (workspaceId: number, state: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ["mail", null, workspaceId, state ?? ""],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Mail>>(
        withQuery(`/api/workspaces/${workspaceId}/mails`, { state, limit: 50, cursor: pageParam }),
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.meta.next_cursor,
    staleTime: 0,
  });
