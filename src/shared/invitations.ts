import { z } from "zod";
import { moment } from "./answers.ts";
import { email, password, person } from "./people.ts";
import { boolean, id, mustBe, optional } from "./text.ts";
import { AT, PASSWORD, lin } from "./example-values.ts";

const MAX_PROJECTS = 200;

export const invitationBody = z.object({
  email,
  is_admin: optional(boolean),
  projects: optional(
    z
      .array(z.object({ project_id: id, role_id: id }, mustBe("an object")), mustBe("an array"))
      .max(MAX_PROJECTS, `must have at most ${MAX_PROJECTS} entries`)
      .superRefine(rejectDuplicates),
  ),
});

function rejectDuplicates(projects: { project_id: number }[], context: z.RefinementCtx) {
  const seen = new Set<number>();
  for (const [index, { project_id }] of projects.entries()) {
    if (seen.has(project_id))
      context.addIssue({ code: "custom", path: [index, "project_id"], message: "must not be listed twice" });
    seen.add(project_id);
  }
}

const absent = z.null().optional();

/** Empty: the signed-in user joins. Otherwise all fields of a new user, whose email address is the invitation's. */
export const acceptInvitationBody = z.union([
  z.object({ first_name: absent, last_name: absent, username: absent, password: absent }),
  z.object({
    first_name: person.first_name,
    last_name: person.last_name,
    username: person.username,
    password,
  }),
]);

export const invitationAnswer = z.strictObject({
  id,
  email: z.string(),
  is_admin: z.boolean(),
  projects: z.array(z.strictObject({ project_id: id, role_id: id })),
  expires_at: moment,
  created_at: moment,
});

/** The only response that contains the link. */
export const newInvitationAnswer = invitationAnswer.extend({ link: z.string() });

export type Invitation = z.infer<typeof invitationAnswer>;

/** What anyone with the link can see. */
export const invitationPreviewAnswer = z.strictObject({
  workspace: z.strictObject({ id, name: z.string() }),
  /** Null if that user was deleted. */
  invited_by: z.strictObject({ first_name: z.string(), last_name: z.string() }).nullable(),
  email: z.string(),
  expires_at: moment,
});

export type InvitationPreview = z.infer<typeof invitationPreviewAnswer>;

const invitation = {
  id: 9,
  email: "lin@example.com",
  is_admin: false,
  projects: [{ project_id: 5, role_id: 2 }],
  expires_at: "2026-11-27T09:14:07.482913Z",
  created_at: AT,
};

/** Examples for the API reference. */
export const invitationExamples = {
  Invitation: { schema: invitationAnswer, example: invitation },
  NewInvitation: {
    schema: newInvitationAnswer,
    example: { ...invitation, link: "https://signalbox.example.com/invitations/…" },
  },
  InvitationPreview: {
    schema: invitationPreviewAnswer,
    example: {
      workspace: { id: 1, name: "Acme" },
      invited_by: { first_name: "Ada", last_name: "Moss" },
      email: "lin@example.com",
      expires_at: invitation.expires_at,
    },
  },
  InvitationBody: {
    schema: invitationBody,
    example: { email: "lin@example.com", projects: [{ project_id: 5, role_id: 2 }] },
  },
  AcceptInvitationBody: { schema: acceptInvitationBody, example: { ...lin, password: PASSWORD } },
};
