import { z } from "zod";
import { moment, personAnswer } from "./answers.ts";
import { boolean, id, name, mustBe, optional } from "./text.ts";
import { ada, AT, features as exampleFeatures } from "./example-values.ts";

const features = z.object(
  { reports: optional(boolean), error_tracking: optional(boolean) },
  mustBe("an object"),
);

export const workspaceBody = z.object({ name: name(100), features: optional(features) });

export const workspaceChanges = z.object({ name: optional(name(100)), features: optional(features) });

export const featuresAnswer = z.strictObject({ reports: z.boolean(), error_tracking: z.boolean() });

export type Features = z.infer<typeof featuresAnswer>;

export const FEATURES = featuresAnswer.keyof().options;

export const workspaceAnswer = z.strictObject({
  id,
  name: z.string(),
  features: featuresAnswer,
  /** Whether the caller is an administrator of the workspace. */
  is_admin: z.boolean(),
  created_at: moment,
  updated_at: moment,
});

export type Workspace = z.infer<typeof workspaceAnswer>;

export const workspaceMemberChanges = z.object({ is_admin: optional(boolean), active: optional(boolean) });

export const workspaceMemberAnswer = personAnswer.extend({
  is_admin: z.boolean(),
  /** Deactivated members have no access to the workspace and its projects. */
  active: z.boolean(),
});

export type WorkspaceMember = z.infer<typeof workspaceMemberAnswer>;

/** Examples for the API reference. */
export const workspaceExamples = {
  Workspace: {
    schema: workspaceAnswer,
    example: {
      id: 1,
      name: "Acme",
      features: exampleFeatures,
      is_admin: true,
      created_at: AT,
      updated_at: AT,
    },
  },
  WorkspaceMember: { schema: workspaceMemberAnswer, example: { ...ada, is_admin: true, active: true } },
  WorkspaceBody: { schema: workspaceBody, example: { name: "Acme", features: { reports: true } } },
  WorkspaceChanges: { schema: workspaceChanges, example: { features: { error_tracking: false } } },
  WorkspaceMemberChanges: { schema: workspaceMemberChanges, example: { is_admin: true } },
};
