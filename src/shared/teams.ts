import { z } from "zod";
import { count, moment, personAnswer } from "./answers.ts";
import { id, optional, uniqueLine } from "./text.ts";
import { AT, ada } from "./example-values.ts";

const name = uniqueLine(100);

export const teamBody = z.object({ name });

export const teamChanges = z.object({ name: optional(name) });

export const projectTeamBody = z.object({ role_id: id });

export const teamAnswer = z.strictObject({ id, name: z.string(), members_count: count, created_at: moment });

export type Team = z.infer<typeof teamAnswer>;

export const teamMemberAnswer = personAnswer.extend({
  /** False if deactivated in the workspace: the member stays in the team but has no access through it. */
  active: z.boolean(),
});

export type TeamMember = z.infer<typeof teamMemberAnswer>;

/** A team with its members, and with those of its projects that the caller can access. */
export const teamDetailAnswer = teamAnswer.extend({
  members: z.array(teamMemberAnswer),
  projects: z.array(z.strictObject({ project_id: id, key: z.string(), name: z.string(), role_id: id })),
});

export type TeamDetail = z.infer<typeof teamDetailAnswer>;

/** A team that has access to a project. */
export const projectTeamAnswer = z.strictObject({
  team_id: id,
  name: z.string(),
  role_id: id,
  members_count: count,
  /** When the team got access to the project. */
  created_at: moment,
});

export type ProjectTeam = z.infer<typeof projectTeamAnswer>;

const team = { id: 2, name: "Checkout", members_count: 1, created_at: AT };

/** Examples for the API reference. */
export const teamExamples = {
  Team: { schema: teamAnswer, example: team },
  TeamMember: { schema: teamMemberAnswer, example: { ...ada, active: true } },
  TeamDetail: {
    schema: teamDetailAnswer,
    example: {
      ...team,
      members: [{ ...ada, active: true }],
      projects: [{ project_id: 5, key: "WEB", name: "Web shop", role_id: 2 }],
    },
  },
  ProjectTeam: {
    schema: projectTeamAnswer,
    example: { team_id: 2, name: "Checkout", role_id: 2, members_count: 1, created_at: AT },
  },
  ProjectTeamBody: { schema: projectTeamBody, example: { role_id: 2 } },
  TeamBody: { schema: teamBody, example: { name: "Checkout" } },
  TeamChanges: { schema: teamChanges, example: { name: "Checkout and payment" } },
};
