import { makeIngestKey, type TestUser } from "./make.ts";
import { otlpSender } from "./otlp-sender.ts";
import { openProject, type TestProject } from "./project.ts";
import type { TestApp } from "./test-app.ts";

/** A new project that receives OpenTelemetry with its ingest key. */
export type OtlpProject = TestProject &
  ReturnType<typeof otlpSender> & {
    key: string;
    listed(): Promise<{ occurrence_count: number }[]>;
    /** What was received today. */
    usage(): Promise<Record<"accepted" | "discarded" | "duplicate" | "invalid", number>>;
  };

export async function openOtlpProject(
  t: TestApp,
  workspace: { id: number; admin: TestUser },
): Promise<OtlpProject> {
  const project = await openProject(t, workspace);
  const key = await makeIngestKey(t.db, project.id);
  return {
    ...project,
    ...otlpSender(t, project, key),
    key,
    listed: async () => (await project.admin.get(project.groups)).body.data,
    usage: async () => (await project.admin.get(`/api/projects/${project.id}/usage?days=1`)).body.data[0],
  };
}
