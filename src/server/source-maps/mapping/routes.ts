import { releaseMappingAnswer } from "../../../shared/source-maps.ts";
import type { Api } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
import { readReleaseMapping } from "./read-release-mapping.ts";

export function releaseMappingRoute(api: Api) {
  api.get<{ Params: { version: string } }>(
    "/api/projects/:projectId/releases/:version/mapping",
    {
      config: READING.release,
      schema: {
        operationId: "readReleaseMapping",
        summary: "Read which minified files of a release's errors have source maps",
        description:
          "Looks at the latest event of each error that was last seen in the release, at most 50. Source maps are only looked up, not read: whether they contain a position is shown by the frames of an event.",
        response: { 200: releaseMappingAnswer },
      },
    },
    (request) => readReleaseMapping(request.errorDb, request.project.id, request.params.version),
  );
}
