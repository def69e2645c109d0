import type { Issue } from "../../shared/issues.ts";
import { api } from "../api/client.ts";

/** An issue or an epic. */
export type Texts = Pick<Issue, "id" | "project_id" | "title" | "description"> & { key?: string };

/** An epic has no key. */
export const kindOf = ({ key }: Texts) => (key === undefined ? "epic" : "issue");

export const pathOf = (of: Texts) => `/api/projects/${of.project_id}/${kindOf(of)}s/${of.id}`;

/** The texts as they are now, past the cache. */
export const readTexts = (of: Texts) => api.get<Texts>(pathOf(of));

export const saveTexts = (of: Texts, changes: Partial<Pick<Texts, "title" | "description">>) =>
  api.patch<Texts>(pathOf(of), changes);
