import type { PrivacyRuleTest } from "../../../shared/privacy-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";

export const createProject = (body: object) => api.post<Project>("/api/projects", body);

export const changeProject = (id: number, changes: object) => api.patch(`/api/projects/${id}`, changes);

export const deleteProject = (id: number) => api.delete(`/api/projects/${id}`);

/** Applies a privacy rule to a kept event, without saving either. */
export const testPrivacyRule = (projectId: number, body: object) =>
  api.post<PrivacyRuleTest>(`/api/projects/${projectId}/privacy-rules/test`, body);
