import { z } from "zod";
import { count, moment } from "./answers.ts";
import { idFilter } from "./filters.ts";
import { PERMISSIONS } from "./permissions.ts";
import { id, mustBe, optional, uniqueLine } from "./text.ts";
import { AT } from "./example-values.ts";

const name = uniqueLine(100);

/** Normalized to the order of PERMISSIONS. A role without any permission only gives access to the project. */
const permissions = z
  .array(z.enum(PERMISSIONS, mustBe("one of the permissions")), mustBe("an array"))
  .max(PERMISSIONS.length, `must have at most ${PERMISSIONS.length} permissions`)
  .superRefine(rejectDuplicates)
  .transform((sent) => PERMISSIONS.filter((permission) => sent.includes(permission)));

function rejectDuplicates(sent: string[], context: z.RefinementCtx) {
  const seen = new Set<string>();
  for (const [index, permission] of sent.entries()) {
    if (seen.has(permission))
      context.addIssue({ code: "custom", path: [index], message: "must not be listed twice" });
    seen.add(permission);
  }
}

export const roleBody = z.object({ name, permissions });

export const roleChanges = z.object({ name: optional(name), permissions: optional(permissions) });

/** The role that members, teams and pending invitations get in place of a deleted role. */
export const roleDeletion = z.object({ move_to: idFilter });

export const roleAnswer = z.strictObject({
  id,
  name: z.string(),
  permissions: z.array(z.string()),
  built_in: z.boolean(),
  /** Number of project memberships with this role; `teams_count`: number of projects that teams have with it. */
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
