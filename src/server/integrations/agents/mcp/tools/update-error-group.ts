import { sql } from "kysely";
import { z } from "zod";
import { usersWhere } from "../../../../access/access-queries.ts";
import type { ErrorGroup } from "../../../../../shared/error-groups.ts";
import { id } from "../calls/arguments.ts";
import { send, type Call } from "../calls/call.ts";
import { findErrorGroup, type Project } from "../calls/find-objects.ts";
import { writingTool } from "../calls/tool.ts";
import { ToolError } from "../calls/tool-error.ts";
import { describeGroup } from "./error-groups.ts";

const ACTIONS = { open: "reopen", resolved: "resolve", ignored: "ignore" } as const;

export const updateErrorGroup = writingTool({
  name: "update_error_group",
  title: "Resolve, ignore, reopen or assign an error",
  description:
    "Changes the status or the assignee of an error. Resolve an error when its fix is merged, with `in` if it is not released yet.",
  input: {
    error_group_id: id("The id of the error."),
    status: z
      .enum(["open", "resolved", "ignored"], { error: "must be open, resolved or ignored" })
      .optional()
      .describe("The new status."),
    in: z
      .union([z.literal("next_release"), z.object({ release: z.string() })], {
        error: "must be next_release or an object with a release",
      })
      .optional()
      .describe(
        'With status resolved: "next_release", or {"release": "4.2.1"}. Events of older releases then leave it resolved.',
      ),
    until: z
      .object(
        {
          at: z.string().optional(),
          occurrences: z.int().optional(),
          users: z.int().optional(),
          release: z.string().optional(),
        },
        { error: "must be an object" },
      )
      .optional()
      .describe(
        "With status ignored: what ends it. A time `at`, so many further `occurrences` or `users`, or a `release`; the first one that is met counts.",
      ),
    assignee: z
      .string({ error: "must be a string or null" })
      .nullable()
      .optional()
      .describe("A username, an email address or me. Null for nobody."),
  },
  effect: { destructive: true, idempotent: true },
  run: async (call, { error_group_id, status, in: release, until, assignee }) => {
    requireMatching(status, release, until, assignee);
    const { project, item, path } = await findErrorGroup(call, error_group_id);
    let group = item;
    if (status !== undefined) {
      const body = { ...(release && { in: release }), ...(until && { until }) };
      group = await send<ErrorGroup>(call, "POST", `${path}/${ACTIONS[status]}`, body);
    }
    if (assignee !== undefined) {
      const assignee_id = assignee === null ? null : await findAssignee(call, project, assignee);
      group = await send<ErrorGroup>(call, "PATCH", path, { assignee_id });
    }
    const subject = { type: "error_group" as const, id: group.id, name: group.exception_class };
    return { ...(await describeGroup(call, project, group)), project_id: project.id, subject };
  },
});

function requireMatching(status: unknown, release: unknown, until: unknown, assignee: unknown): void {
  if (status === undefined && assignee === undefined) throw new ToolError("Give status, assignee or both.");
  if (release !== undefined && status !== "resolved") throw new ToolError("in is only for status resolved.");
  if (until !== undefined && status !== "ignored") throw new ToolError("until is only for status ignored.");
}

/** The id of someone who can access the project. */
async function findAssignee(call: Call, project: Project, name: string): Promise<number> {
  if (name === "me") return call.request.caller.user_id;
  const { rows } = await sql<{ id: number }>`
    select u.id from users u
    where u.id in (${usersWhere(project)})
      and (lower(u.username) = ${name.replace(/^@/, "").toLowerCase()} or lower(u.email) = ${name.toLowerCase()})`.execute(
    call.db,
  );
  const [user] = rows;
  if (!user) throw new ToolError("assignee: nobody with access to the project has this username or address.");
  return user.id;
}
