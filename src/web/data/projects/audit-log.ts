import { infiniteQueryOptions } from "@tanstack/react-query";
import type { AuditEvent } from "../../../shared/audit.ts";
import type { Page } from "../../../shared/answers.ts";
import { api, withQuery } from "../../api/client.ts";

/** The filters in the address. Days are UTC days; `until` is inclusive. */
export type AuditView = {
  kind?: string | undefined;
  actor_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
};

const pathOf = (workspaceId: number) => `/api/workspaces/${workspaceId}/audit-events`;

/** Newest first, in pages. */
export const auditQuery = (workspaceId: number, view: AuditView) =>
  infiniteQueryOptions({
    queryKey: ["audit", null, workspaceId, view],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<AuditEvent>>(
        withQuery(pathOf(workspaceId), { ...view, limit: 50, cursor: pageParam }),
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.meta.next_cursor,
    staleTime: 0,
  });

/** The address of a CSV file with all events that match the filters. */
export const auditCsv = (workspaceId: number, view: AuditView) =>
  withQuery(pathOf(workspaceId), { ...view, format: "csv" });
