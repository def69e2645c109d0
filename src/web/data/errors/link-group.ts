import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ErrorGroup, ErrorGroupList } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { api, withQuery } from "../../api/client.ts";
import { toast } from "../../kit/notices/toast.ts";
import { useChangeGroups } from "./change-groups.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { can } from "../projects/projects.ts";
import { useUndoGroups } from "./undo-groups.ts";

type Link = {
  group: Pick<ErrorGroup, "id" | "project_id" | "exception_class" | "linked_issue_id">;
  /** The issue to link to; null ends the link. */
  issue: number | null;
};

/**
 * Links a group to an issue, or ends its link with null. Not optimistic: the server refuses a group that is linked to
 * another issue, and says to which.
 */
export function useLinkGroup() {
  const undo = useUndoGroups();
  const client = useQueryClient();
  const { change, isPending } = useChangeGroups<Link, ErrorGroup>({
    send: ({ group, issue }, change_id) => {
      const path = `/api/projects/${group.project_id}/error-groups/${group.id}/link`;
      return issue === null
        ? api.delete(withQuery(path, { change_id }))
        : api.post(path, { issue, change_id });
    },
    failed: ({ group, issue }) =>
      `${group.exception_class} could not be ${issue === null ? "unlinked" : "linked"}`,
    onDone: ({ id, linked_issue_id }, { group, issue }, { id: changeId, change }) => {
      patchEverywhere(client, "error_group", id, { linked_issue_id });
      const title = `${group.exception_class} ${issue === null ? "unlinked" : "linked"}`;
      const before = { id, project_id: group.project_id, linked_issue_id: group.linked_issue_id };
      toast({
        title,
        tone: "success",
        subjects: [`error_group:${id}`],
        change,
        undo:
          group.linked_issue_id === issue ? undefined : () => undo({ id: changeId, title, groups: [before] }),
      });
    },
    onSettled: (client) => {
      void client.invalidateQueries({ queryKey: ["issue"] });
      // Not awaited: the buttons would stay busy after the message that says it is done.
      void client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" });
    },
  });
  return { mutate: change, isPending };
}

/** Whether the user may link errors of the project to its issues. */
export const mayLinkErrors = (project: Project) =>
  project.features.error_tracking && can(project, "error-groups:read") && can(project, "error-groups:update");

const MAX_FOUND = 20;

/** The open errors of a project whose class or message contains the text, the ones seen last first. */
export function useFindErrors(projectId: number, text: string, enabled: boolean) {
  const query = text.trim();
  return useQuery({
    queryKey: ["error_group", projectId, "find", query],
    enabled,
    staleTime: 20_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const path = `/api/projects/${projectId}/error-groups`;
      return (await api.get<ErrorGroupList>(withQuery(path, { status: 0, query, limit: MAX_FOUND }), signal))
        .data;
    },
  });
}
