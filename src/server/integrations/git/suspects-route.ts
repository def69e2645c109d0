import { suspectsAnswer } from "../../../shared/git.ts";
import type { Api } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
import { groupIdIn } from "../../errors/groups/require-group.ts";
import type { ReadFrames } from "../../errors/groups/routes.ts";
import { findSuspects } from "./find-suspects.ts";

export function suspectsRoute(api: Api, readFrames: ReadFrames) {
  const { needs, feature, area } = READING.error_group;
  api.get(
    "/api/projects/:projectId/error-groups/:errorGroupId/suspects",
    {
      config: { needs, feature, area },
      schema: {
        operationId: "listSuspectCommits",
        summary: "List the commits that may have caused an error group",
        description:
          "At most five, newest first: commits on the default branch since the release before the group's first one whose changed files are in the stack trace. They are known from the pushes of connected Git hosts.",
        response: { 200: suspectsAnswer },
      },
    },
    async (request) => {
      const group = { projectId: request.project.id, groupId: groupIdIn(request) };
      const frames = await readFrames(request.errorDb, group);
      return { data: await findSuspects(request.db, group, frames) };
    },
  );
}
