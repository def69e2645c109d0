import { queryOptions } from "@tanstack/react-query";
import type { StatusLink } from "../../../shared/report-status.ts";
import { api } from "../../api/client.ts";
import { reportsPath } from "./reports.ts";

const pathOf = (projectId: number, reportId: number) => `${reportsPath(projectId)}/${reportId}/status-link`;

/** The address of the page on which the author of a report sees what becomes of it; null while it is revoked. */
export const statusLinkQuery = (projectId: number, reportId: number) =>
  queryOptions({
    queryKey: ["report", projectId, "status-link", reportId],
    queryFn: async ({ signal }) => (await api.get<StatusLink>(pathOf(projectId, reportId), signal)).url,
    staleTime: 0,
  });

/** Creates a new link; the previous one stops working. */
export const replaceStatusLink = (projectId: number, reportId: number) =>
  api.post<StatusLink>(pathOf(projectId, reportId));

export const revokeStatusLink = (projectId: number, reportId: number) =>
  api.delete(pathOf(projectId, reportId));

/** Erases name, address and subscriptions of the author of a report; cannot be undone. */
export const eraseAuthor = (projectId: number, reportId: number) =>
  api.delete(`${reportsPath(projectId)}/${reportId}/author`);
