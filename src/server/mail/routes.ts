import { z } from "zod";
import { pageOf } from "../../shared/answers.ts";
import {
  MAIL_STATES,
  mailAnswer,
  type MailSetup,
  mailSetupAnswer,
  type MailTest,
  mailTestAnswer,
} from "../../shared/mails.ts";
import type { Api, Context } from "../access/context.ts";
import { pageQuery } from "../answers/page.ts";
import { listMails } from "./list-mails.ts";
import { queueTestMail } from "./queue-test-mail.ts";

const mailsQuery = pageQuery.extend({
  state: z.enum(MAIL_STATES, { error: `must be one of ${MAIL_STATES.join(", ")}` }).optional(),
});

export function mailRoutes(api: Api, { config, publicUrl }: Context) {
  api.get(
    "/api/workspaces/:workspaceId/mails",
    {
      config: { needs: "administrator", secret: true },
      schema: {
        operationId: "listMails",
        summary: "List a workspace's emails, newest first",
        querystring: mailsQuery,
        response: { 200: pageOf(mailAnswer) },
      },
    },
    (request) =>
      listMails(request.db, request.workspace.id, request.query, {
        publicUrl: publicUrl(),
        // A token must not gain access through an invitation link.
        secretLinks: request.caller.kind === "session",
      }),
  );

  api.get(
    "/api/workspaces/:workspaceId/mail-setup",
    {
      config: { needs: "administrator" },
      schema: {
        operationId: "readMailSetup",
        summary: "Read whether the server can send emails",
        response: { 200: mailSetupAnswer },
      },
    },
    async () => ({ configured: config.mail !== undefined }) satisfies MailSetup,
  );

  api.post(
    "/api/workspaces/:workspaceId/mail-test",
    {
      config: { needs: "administrator" },
      schema: {
        operationId: "sendTestMail",
        summary: "Send the caller a test email",
        response: { 200: mailTestAnswer },
      },
    },
    async (request) => {
      await queueTestMail(request.db, request.workspace.id, request.caller.user_id);
      return { kept: config.mail === undefined } satisfies MailTest;
    },
  );
}
