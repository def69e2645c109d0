import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  AlertPreview,
  AlertRule,
  alertPreviewBody,
  alertRuleBody,
  alertRuleChanges,
} from "../../../shared/alert-rules.ts";
import { api } from "../../api/client.ts";

const pathOf = (projectId: number, rest = "") => `/api/projects/${projectId}/alert-rules${rest}`;

/** A rule fires without a live update. */
export const alertRulesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["alert_rule", projectId, "list"],
    queryFn: async ({ signal }) => (await api.get<{ data: AlertRule[] }>(pathOf(projectId), signal)).data,
    staleTime: 0,
  });

export type NewAlertRule = z.input<typeof alertRuleBody>;

export type AlertConditions = NonNullable<NewAlertRule["if"]>;

export type AlertAction = NewAlertRule["then"][number];

/** The firings of the last seven days that a rule would have had. */
export const alertPreviewQuery = (projectId: number, rule: z.input<typeof alertPreviewBody>) =>
  queryOptions({
    queryKey: ["alert_preview", projectId, rule],
    queryFn: () => api.post<AlertPreview>(pathOf(projectId, "/preview"), rule),
    placeholderData: keepPreviousData,
    // Incomplete input is rejected, and would be again.
    retry: false,
  });

export const createAlertRule = (projectId: number, body: NewAlertRule) => api.post(pathOf(projectId), body);

export const changeAlertRule = (projectId: number, id: number, changes: z.input<typeof alertRuleChanges>) =>
  api.patch(pathOf(projectId, `/${id}`), changes);

export const deleteAlertRule = (projectId: number, id: number | undefined) =>
  api.delete(pathOf(projectId, `/${id}`));

/** Silences a rule until then; null ends that. */
export const muteAlertRule = (projectId: number, id: number, until: string | null) =>
  api.post(pathOf(projectId, `/${id}/mute`), { until });
