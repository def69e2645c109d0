import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { GroupTags, KeptEvent } from "../../../shared/kept-events.ts";
import { api } from "../../api/client.ts";

/**
 * A kept event of a group. While another one loads, the previous one stays on screen. A change of a release may have brought the
 * source maps of its frames.
 */
export const keptEventQuery = (projectId: number, groupId: number, id: number | "latest") =>
  queryOptions({
    queryKey: ["kept_event", projectId, groupId, id],
    queryFn: ({ signal }) =>
      api.get<KeptEvent>(`/api/projects/${projectId}/error-groups/${groupId}/events/${id}`, signal),
    placeholderData: keepPreviousData,
  });

/** The tags of a group's kept events. */
export const groupTagsQuery = (projectId: number, groupId: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "tags", groupId],
    queryFn: ({ signal }) =>
      api.get<GroupTags>(`/api/projects/${projectId}/error-groups/${groupId}/tags`, signal),
  });
