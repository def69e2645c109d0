import type { z } from "zod";
import type { PrivacyRuleTest, privacyRuleTest } from "../../../shared/privacy-rules.ts";
import type { Project, projectBody, projectChanges } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";

export const createProject = (body: z.input<typeof projectBody>) => api.post<Project>("/api/projects", body);

export const changeProject = (id: number, changes: z.input<typeof projectChanges>) =>
  api.patch(`/api/projects/${id}`, changes);

/** Creates the secret with which apps sign the addresses of their users; a previous one stops working. */
export const replaceIdentitySecret = (id: number) =>
  api.post<{ secret: string }>(`/api/projects/${id}/feedback/identity-secret`);

export const deleteProject = (id: number) => api.delete(`/api/projects/${id}`);

/** Applies a privacy rule to a kept event, without saving either. */
export const testPrivacyRule = (projectId: number, body: z.input<typeof privacyRuleTest>) =>
  api.post<PrivacyRuleTest>(`/api/projects/${projectId}/privacy-rules/test`, body);
