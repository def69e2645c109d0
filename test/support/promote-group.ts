import type { Issue } from "../../src/shared/issues.ts";
import type { TestProject } from "./project.ts";

/** Promotes an error group to an issue. */
export const promote = (project: TestProject, id: number, as = project.admin) =>
  as.post(`${project.groups}/${id}/promote`);

export const issuesOf = async (project: TestProject): Promise<Issue[]> =>
  (await project.admin.get(`/api/projects/${project.id}/issues`)).body.data;
