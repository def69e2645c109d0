import { projectStorageAnswer } from "../../shared/attachments.ts";
import type { Api, Context } from "../access/context.ts";
import { readStorage } from "./project-storage.ts";

export function storageRoute(api: Api, { config }: Context) {
  api.get(
    "/api/projects/:projectId/storage",
    {
      config: { needs: "access" },
      schema: {
        operationId: "readStorage",
        summary: "Read how much the attachments of a project take up",
        response: { 200: projectStorageAnswer },
      },
    },
    (request) => readStorage(request.db, request.project.id, config.projectStorage),
  );
}
