import type { Project } from "../../shared/projects.ts";
import { can } from "../data/projects.ts";

/** Where files of an issue that is not created yet are added. The issue takes over those that its description shows. */
export const draftFilesPath = (project: Project): string | undefined =>
  can(project, "attachments:create") ? `/api/projects/${project.id}/attachments` : undefined;

export const STILL_UPLOADING = "Wait until the files are uploaded, or remove them.";
