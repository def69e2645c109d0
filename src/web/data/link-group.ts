import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { ErrorGroup, ErrorGroupList } from "../../shared/error-groups.ts";
import { api, withQuery } from "../api/client.ts";
import { showFailure } from "../forms/show-failure.ts";
import { beginChange, toast } from "../kit/toast.ts";
import { entitiesIn, queriesOf } from "./cached-copies.ts";
import { patchEverywhere } from "./patch-everywhere.ts";

type Link = {
  group: Pick<ErrorGroup, "id" | "project_id" | "exception_class" | "linked_issue_id">;
  /** The issue to link to; null ends the link. */
  issue: number | null;
  /** An undo cannot be undone: ⌘Z would only go back and forth. */
  isUndo?: boolean;
};

/**
 * Links a group to an issue, or ends its link with null. Not optimistic: the server refuses a group that is linked to
 * another issue, and says to which.
 */
export function useLinkGroup() {
  const client = useQueryClient();
  const { mutate, mutateAsync, isPending } = useMutation({
    mutationFn: ({ group, issue }: Link) => {
      const path = `/api/projects/${group.project_id}/error-groups/${group.id}/link`;
      return issue === null ? api.delete<ErrorGroup>(path) : api.post<ErrorGroup>(path, { issue });
    },
    onMutate: ({ isUndo }) => (isUndo ? undefined : beginChange()),
    onSuccess: ({ id, linked_issue_id }, { group, issue, isUndo }, change) => {
      patchEverywhere(client, "error_group", id, { linked_issue_id });
      const takeBack = () => {
        const linked = { ...group, linked_issue_id: issue };
        if (isStill(client, id, issue))
          return mutateAsync({ group: linked, issue: group.linked_issue_id, isUndo: true }).catch(() => {});
        toast({ title: "Nothing undone", description: "Someone has changed the link since." });
        return undefined;
      };
      toast({
        title: `${group.exception_class} ${issue === null ? "unlinked" : "linked"}`,
        tone: "success",
        subjects: [`error_group:${id}`],
        change,
        undo: isUndo || group.linked_issue_id === issue ? undefined : takeBack,
      });
    },
    onError: (error, { group, issue }, change) => {
      showFailure(`${group.exception_class} could not be ${issue === null ? "unlinked" : "linked"}`, error);
      change?.failed();
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["issue"] });
      return client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" });
    },
  });
  return { mutate, isPending };
}

/** Whether every cached copy of the group has the link that was set. */
const isStill = (client: QueryClient, id: number, issue: number | null) =>
  queriesOf(client, "error_group")
    .flatMap((query) => entitiesIn<"error_group">(query))
    .every((group) => group.id !== id || group.linked_issue_id === issue);

const MOST_FOUND = 20;

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
      return (await api.get<ErrorGroupList>(withQuery(path, { status: 0, query, limit: MOST_FOUND }), signal))
        .data;
    },
  });
}
