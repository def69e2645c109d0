import { pageOf } from "../../../shared/answers.ts";
import {
  acceptInvitationBody,
  invitationAnswer,
  invitationBody,
  invitationPreviewAnswer,
  newInvitationAnswer,
} from "../../../shared/invitations.ts";
import { profileAnswer } from "../../../shared/people.ts";
import { requireSession } from "../../access/admission.ts";
import type { Api, Context } from "../../access/context.ts";
import { browserOf, setDeviceCookie, setSessionCookie } from "../../access/sessions.ts";
import { invalid } from "../../answers/errors.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { readProfile } from "../../account/profile/read-profile.ts";
import { joinByInvitation, registerByInvitation } from "./accept-invitation.ts";
import { createInvitation } from "./create-invitation.ts";
import { deleteInvitation } from "./delete-invitation.ts";
import { listInvitations, previewInvitation } from "./read-invitations.ts";

const invitations = "/api/workspaces/:workspaceId/invitations";
const config = { needs: "administrator" } as const;

export function invitationRoutes(api: Api, context: Context) {
  administrationRoutes(api, context);
  acceptanceRoutes(api, context);
}

function administrationRoutes(api: Api, { publicUrl }: Context) {
  api.get(
    invitations,
    {
      config,
      schema: {
        operationId: "listInvitations",
        summary: "List a workspace's open invitations",
        querystring: pageQuery,
        response: { 200: pageOf(invitationAnswer) },
      },
    },
    (request) => listInvitations(request.db, request.workspace.id, request.query),
  );

  api.post(
    invitations,
    {
      config,
      schema: {
        operationId: "createInvitation",
        summary: "Invite someone by email",
        description: "Inviting an administrator requires a browser session.",
        body: invitationBody,
        response: { 201: newInvitationAnswer },
      },
    },
    async (request, reply) => {
      const { workspace, caller, body } = request;
      if (body.is_admin) requireSession(request, "invite an administrator");
      return reply.code(201).send(
        await createInvitation(request.db, workspace.id, {
          actorId: caller.user_id,
          body,
          publicUrl: publicUrl(),
        }),
      );
    },
  );

  api.delete(
    `${invitations}/:invitationId`,
    {
      config,
      schema: {
        operationId: "deleteInvitation",
        summary: "Revoke an invitation",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteInvitation(request.db, request.workspace.id, childId(request, "invitationId"));
      return reply.code(204).send();
    },
  );
}

function acceptanceRoutes(api: Api, { config: { mail }, publicUrl }: Context) {
  api.get<{ Params: { token: string } }>(
    "/api/invitations/:token",
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "previewInvitation",
        summary: "Preview an invitation",
        response: { 200: invitationPreviewAnswer },
      },
    },
    (request) => previewInvitation(request.db, request.params.token),
  );

  api.post(
    "/api/invitations/:token",
    {
      config: { needs: "nothing", session: "optional" },
      schema: {
        operationId: "acceptInvitation",
        summary: "Accept an invitation",
        description:
          "An empty body accepts as the signed-in user. Otherwise a new account is created and signed in. Only the link in the email verifies the address, not the one that the inviter sees. An account whose address was not verified before then loses its password, personal tokens, linked identities, second factor and other sessions; a link to set a new password is emailed.",
        sends: ["Set-Cookie"],
        body: acceptInvitationBody,
        response: { 200: profileAnswer, 201: profileAnswer },
      },
      preValidation: async (request) => {
        await previewInvitation(request.db, tokenOf(request));
      },
    },
    async (request, reply) => {
      const { body, session } = request;
      const token = tokenOf(request);
      if (typeof body.password === "string") {
        const browser = browserOf(request, publicUrl());
        const { userId, secret, device } = await registerByInvitation(request.db, {
          token,
          person: body,
          browser,
          sendsMail: mail !== undefined,
        });
        setSessionCookie(reply, publicUrl(), secret);
        setDeviceCookie(reply, publicUrl(), device);
        return reply.code(201).send(await readProfile(request.db, userId));
      }
      if (!session) throw missingAccount();
      await joinByInvitation(request.db, token, session);
      return readProfile(request.db, session.user_id);
    },
  );
}

const tokenOf = (request: { params: unknown }) => (request.params as { token: string }).token;

/** Neither a signed-in user nor the fields of a new account. */
function missingAccount() {
  const missing = ["is required, unless you are signed in"];
  return invalid({ first_name: missing, last_name: missing, username: missing, password: missing });
}
