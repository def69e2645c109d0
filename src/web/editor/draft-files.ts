import type { Project } from "../../shared/projects.ts";
import { can } from "../data/projects/projects.ts";

/**
 * The path to which files are uploaded for an issue that does not exist yet. The issue takes over those that its
 * description shows.
 */
export const draftFilesPath = (project: Project): string | undefined =>
  can(project, "attachments:create") ? `/api/projects/${project.id}/attachments` : undefined;

export const STILL_UPLOADING = "Wait until the files are uploaded, or remove them.";
