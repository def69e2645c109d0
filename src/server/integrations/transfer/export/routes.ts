import { PassThrough } from "node:stream";
import { create as contentDisposition } from "content-disposition";
import type { Api, Context } from "../../../access/context.ts";
import { limitConcurrency } from "../../../answers/limit-concurrency.ts";
import { answersWith } from "../../../answers/operation.ts";
import { disconnectSignal } from "../../../http/disconnect-signal.ts";
import { recordAudit } from "../../../record/audit.ts";
import { exportProject } from "./export-project.ts";

/** An export needs a connection and much of a processor. Clients may try again after 30 seconds. */
const limited = limitConcurrency(2, 30);

export function exportRoute(api: Api, { database, outside, storage, uploads }: Context) {
  api.get(
    "/api/projects/:projectId/export",
    {
      config: { needs: "project:update", secret: true },
      schema: {
        operationId: "exportProject",
        summary: "Download everything in a project",
        description:
          "A gzipped tar archive of one snapshot: `manifest.json`, a file of JSON lines for each kind of object, and the attachments in `files/`. People have no addresses. The audit log records the download. If the export fails, the connection is closed before the archive is complete.",
        sends: ["Content-Disposition"],
        response: { 200: answersWith("application/gzip") },
      },
    },
    async (request, reply) => {
      const { id: projectId, key } = request.project;
      const signal = disconnectSignal(reply.raw);
      await limited(async () => {
        await recordAudit(outside, {
          kind: "export.made",
          project_id: projectId,
          details: { of: "project" },
        });
        const archive = new PassThrough();
        void reply
          .headers({
            "content-type": "application/gzip",
            "content-disposition": contentDisposition(`${key}-export.tar.gz`),
          })
          .send(archive);
        await uploads
          .useFolder((folder) =>
            exportProject({ url: database.direct.url, storage, projectId, folder, signal }, archive),
          )
          .catch((error: Error) => {
            if (!signal.aborted) request.log.error({ err: error }, "an export failed");
            archive.destroy(error);
          });
      });
      return reply;
    },
  );
}
