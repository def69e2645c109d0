import { Link } from "@tanstack/react-router";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import type { ErrorGroupList } from "../../shared/error-groups.ts";
import { api } from "../api/client.ts";
import { buttonClass } from "../kit/button.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { Spinner } from "../kit/spinner.tsx";

/** Live updates invalidate this query, so the first event appears without polling. */
export const firstGroupQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["error_group", projectId, "first"],
    queryFn: async ({ signal }) =>
      (await api.get<ErrorGroupList>(`/api/projects/${projectId}/error-groups?limit=1`, signal)).data[0] ??
      null,
  });

/** Waits for the project's first event and shows when it has arrived. */
export function FirstEvent({ project }: { project: { id: number; key: string } }) {
  const { data: group, error, refetch } = useQuery(firstGroupQuery(project.id));
  if (group === undefined)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Spinner />;
  if (group === null)
    return (
      <p
        role="status"
        className="border-line bg-sunken text-text-2 flex items-center gap-2 rounded-md border px-3 py-3"
      >
        <Spinner />
        Waiting for the first event…
      </p>
    );
  return (
    <div
      role="status"
      className="border-resolved bg-resolved-tint text-resolved flex flex-wrap items-center gap-2 rounded-md border px-3 py-3"
    >
      <CircleCheck aria-hidden size={20} />
      <p className="min-w-0 flex-1 truncate">
        <strong>The first event has arrived:</strong> {group.exception_class}
      </p>
      <Link
        to="/projects/$projectKey/errors/$errorGroupId"
        params={{ projectKey: project.key, errorGroupId: String(group.id) }}
        className={buttonClass({ size: "sm" })}
      >
        View error
      </Link>
    </div>
  );
}
