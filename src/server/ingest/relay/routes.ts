import { forwardingAnswer } from "../../../shared/forwarding.ts";
import type { Api } from "../../access/context.ts";
import { readForwarding } from "./read-forwarding.ts";

export function forwardingRoute(api: Api) {
  api.get(
    "/api/projects/:projectId/forwarding",
    {
      config: { needs: "project:update" },
      schema: {
        operationId: "readForwarding",
        summary: "Read what became of the envelopes that are forwarded to another server",
        description:
          "Counts everything since `forward_dsn` was set, in all processes, and is written once a second. `failed` envelopes were not accepted by the other server; `dropped` ones did not fit into memory while it was slow, or waited when the server stopped. `last_error` is `lookup`, `address_not_allowed`, `connect`, `tls`, `timeout`, `protocol` or a status such as `status 403`; null if there was none.",
        response: { 200: forwardingAnswer },
      },
    },
    (request) => readForwarding(request.db, request.project.id),
  );
}
