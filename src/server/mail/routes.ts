import { z } from "zod";
import { MAIL_STATES } from "../../shared/mails.ts";
import type { Api, Context } from "../app.ts";
import { pageQuery } from "../http/page.ts";
import { listMails } from "./mails.ts";

const mailsQuery = pageQuery.extend({
  state: z.enum(MAIL_STATES, { error: `must be one of ${MAIL_STATES.join(", ")}` }).optional(),
});

export function mailRoutes(api: Api, { database: { db }, publicUrl }: Context) {
  api.get(
    "/api/workspaces/:workspaceId/mails",
    { config: { needs: "administrator" }, schema: { querystring: mailsQuery } },
    (request) =>
      listMails(db, request.workspaceId, request.query, {
        publicUrl: publicUrl(),
        // A token may only see what could not make it somebody else.
        secretLinks: request.caller.kind === "session",
      }),
  );
}
