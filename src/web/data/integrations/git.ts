import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  GitConnection,
  gitConnectionBody,
  gitConnectionChanges,
  NewGitConnection,
  Suspect,
} from "../../../shared/git.ts";
import type { ProjectDetail } from "../../../shared/projects.ts";
import { allPages } from "../../api/all-pages.ts";
import { api } from "../../api/client.ts";

const pathOf = (projectId: number, rest = "") => `/api/projects/${projectId}/git-connections${rest}`;

/** Deliveries arrive without a live update. */
export const gitConnectionsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["git_connection", projectId],
    queryFn: ({ signal }) => allPages<GitConnection>(pathOf(projectId), 200, signal),
    staleTime: 0,
  });

/** The answer contains the secret, which the server does not return again. */
export const createGitConnection = (projectId: number, body: z.input<typeof gitConnectionBody>) =>
  api.post<NewGitConnection>(pathOf(projectId), body);

export const changeGitConnection = (
  projectId: number,
  id: number,
  changes: z.input<typeof gitConnectionChanges>,
) => api.patch(pathOf(projectId, `/${id}`), changes);

export const deleteGitConnection = (projectId: number, id: number) => api.delete(pathOf(projectId, `/${id}`));

/** The text of the project's CODEOWNERS, which lists of projects do not have. */
export const codeOwnersQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["code_owners", projectId],
    queryFn: async ({ signal }) =>
      (await api.get<ProjectDetail>(`/api/projects/${projectId}`, signal)).code_owners ?? "",
  });

export const saveCodeOwners = (projectId: number, text: string) =>
  api.patch(`/api/projects/${projectId}`, { code_owners: text.trim() === "" ? null : text });

/** The commits that may have caused an error. They change with pushes, but not with further events. */
export const suspectsQuery = (projectId: number, groupId: number) =>
  queryOptions({
    queryKey: ["suspects", projectId, groupId],
    queryFn: async ({ signal }) =>
      (
        await api.get<{ data: Suspect[] }>(
          `/api/projects/${projectId}/error-groups/${groupId}/suspects`,
          signal,
        )
      ).data,
    staleTime: 60_000,
  });
