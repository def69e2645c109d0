import { z } from "zod";
import { count, moment } from "./answers.ts";
import { idFilter } from "./filters.ts";
import { PERMISSIONS } from "./permissions.ts";
import { id, line, mustBe, optional } from "./text.ts";
import { AT } from "./example-values.ts";

/** The contract of roles: named permission sets of a workspace (platform.md, decisions.md 6). */

const name = line(100);

/** In the vocabulary's order, whatever order they were sent in. None at all is a role that may only enter. */
const permissions = z
  .array(z.enum(PERMISSIONS, mustBe("one of the permissions")), mustBe("a list"))
  .superRefine(refuseRepeated)
  .transform((sent) => PERMISSIONS.filter((permission) => sent.includes(permission)));

function refuseRepeated(sent: string[], context: z.RefinementCtx) {
  const seen = new Set<string>();
  for (const [index, permission] of sent.entries()) {
    if (seen.has(permission)) context.addIssue({ code: "custom", path: [index], message: "is named twice" });
    seen.add(permission);
  }
}

export const roleBody = z.object({ name, permissions });

export const roleChanges = z.object({ name: optional(name), permissions: optional(permissions) });

/** The role that members, teams and open invitations get instead of one that is deleted. */
export const roleDeletion = z.object({ move_to: idFilter });

export const roleAnswer = z.strictObject({
  id,
  name: z.string(),
  permissions: z.array(z.string()),
  built_in: z.boolean(),
  /** Memberships of projects that carry it, and projects given to teams with it. */
  members_count: count,
  teams_count: count,
  created_at: moment,
});

export type Role = z.infer<typeof roleAnswer>;

/** Examples for the API reference. */
export const roleExamples = {
  Role: {
    schema: roleAnswer,
    example: {
      id: 4,
      name: "Reporter",
      permissions: ["reports:create", "reports:read"],
      built_in: true,
      members_count: 6,
      teams_count: 1,
      created_at: AT,
    },
  },
  RoleBody: {
    schema: roleBody,
    example: { name: "Triage", permissions: ["reports:read", "reports:update"] },
  },
  RoleChanges: { schema: roleChanges, example: { name: "Support" } },
};
