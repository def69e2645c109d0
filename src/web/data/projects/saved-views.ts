import { queryOptions } from "@tanstack/react-query";
import type { Page } from "../../../shared/answers.ts";
import type { SavedView } from "../../../shared/saved-views.ts";
import { api } from "../../api/client.ts";

/** The views shared with a project, or the user's own ones and favorites if it is null. */
export const viewsPath = (projectId: number | null) =>
  projectId === null ? "/api/profile/views" : `/api/projects/${projectId}/views`;

/** In the order of the sidebar. */
export const viewsQuery = (projectId: number | null) =>
  queryOptions({
    queryKey: ["saved_view", projectId],
    queryFn: async ({ signal }) => (await api.get<Page<SavedView>>(viewsPath(projectId), signal)).data,
    staleTime: 5 * 60_000,
  });
