import { z } from "zod";
import { moment, personAnswer } from "./answers.ts";
import { DONE_MESSAGE, DONE_SUBJECT, feedbackSettingsAnswer, feedbackSettingsBody } from "./feedback.ts";
import { boolean, clearable, id, line, mustBe, optional, text } from "./text.ts";
import { featuresAnswer } from "./workspaces.ts";
import { ada, AT, features } from "./example-values.ts";
import { codeOwners } from "./git.ts";
import { repositoryUrlPattern } from "./source-links.ts";

/** The prefix of the project's issue keys: `WEB` in `WEB-12`. */
const projectKey = line(10).refine(
  (value) => /^[A-Z][A-Z0-9]{1,9}$/.test(value),
  "must be 2 to 10 characters from A–Z and 0–9 and start with a letter",
);

const name = line(100);
const description = text(65_535);

/** Only the given settings change. */
const lifecycleBody = z.object(
  {
    /** Closing an issue resolves its open error groups in the next release. */
    close_resolves: optional(boolean),
    /** A regression of a linked error group reopens its closed issue. */
    regression_reopens: optional(boolean),
    /** The users who created the reports of an issue are notified when it is done and released. */
    ship_tells_reporters: optional(boolean),
  },
  mustBe("an object"),
);

const between = (least: number, most: number) =>
  optional(
    z
      .int(mustBe("a whole number"))
      .min(least, `must be at least ${least}`)
      .max(most, `must be at most ${most}`),
  );

/** Only the given numbers change. */
const spikeBody = z.object(
  {
    /** The fewest events in ten minutes. */
    events: between(10, 1_000_000),
    /** How many times a group's usual rate the events have to exceed. */
    times: between(2, 1_000),
  },
  mustBe("an object"),
);

const eventSettings = {
  /** Keep the values of variables in stack frames, without personal data. */
  keep_vars: optional(boolean),
  /** Store events of level debug that Sentry SDKs send. */
  keep_debug_events: optional(boolean),
  /** Group new errors by the original code of their frames, once its source maps are uploaded. */
  group_by_mapped_frames: optional(boolean),
};

export const projectBody = z.object({
  /** Optional if the caller belongs to only one workspace. */
  workspace_id: optional(id),
  key: projectKey,
  name,
  description: optional(description),
  lifecycle: optional(lifecycleBody),
  spike: optional(spikeBody),
  ...eventSettings,
  repository_url_pattern: optional(repositoryUrlPattern),
  code_owners: optional(codeOwners),
});

/** The key cannot change: commits, emails and links refer to issues by it. */
export const projectChanges = z.object({
  name: optional(name),
  description: clearable(description),
  lifecycle: optional(lifecycleBody),
  feedback: optional(feedbackSettingsBody),
  spike: optional(spikeBody),
  ...eventSettings,
  repository_url_pattern: clearable(repositoryUrlPattern),
  code_owners: clearable(codeOwners),
  /** The DSN of another Sentry-compatible server that also gets what Sentry SDKs send. */
  forward_dsn: clearable(text(2_048)),
});

export const projectAnswer = z.strictObject({
  id,
  workspace_id: id,
  key: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  features: featuresAnswer,
  /** What links reports, issues, errors and releases. Off unless turned on. */
  lifecycle: z.strictObject({
    close_resolves: z.boolean(),
    regression_reopens: z.boolean(),
    ship_tells_reporters: z.boolean(),
  }),
  /** The public form, and the email that tells reporters that it is done. */
  feedback: feedbackSettingsAnswer,
  /**
   * People are notified of a spike once an error group has at least this many events in ten minutes, and more than this many
   * times its usual rate: its average in the last seven days.
   */
  spike: z.strictObject({ events: z.int(), times: z.int() }),
  /** Whether kept events show the values of variables in stack frames. */
  keep_vars: z.boolean(),
  /** Whether events of level debug are stored that Sentry SDKs send. Other events of that level always are. */
  keep_debug_events: z.boolean(),
  /** Whether new errors are grouped by the original code of their frames. */
  group_by_mapped_frames: z.boolean(),
  /** The address of a source line with `{path}`, `{line}` and `{release}`; null if frames have no links. */
  repository_url_pattern: z.string().nullable(),
  /** Whether the caller owns the project. */
  is_owner: z.boolean(),
  /** The caller's permissions in the project: all of them for administrators and owners. */
  permissions: z.array(z.string()),
  created_at: moment,
  updated_at: moment,
});

export type Project = z.infer<typeof projectAnswer>;

/** Lists leave out what can be long. */
export const projectDetailAnswer = projectAnswer.extend({
  /** Who owns which files, in the syntax of CODEOWNERS; null if there is no such text. */
  code_owners: z.string().nullable(),
  /** The DSN of another server that also gets what Sentry SDKs send. Its key is masked. Null without permission to update the project. */
  forward_dsn: z.string().nullable(),
});

export type ProjectDetail = z.infer<typeof projectDetailAnswer>;

export const projectMemberBody = z.object({ user_id: id, role_id: id, is_owner: optional(boolean) });

export const projectMemberChanges = z.object({ role_id: optional(id), is_owner: optional(boolean) });

export const projectMemberAnswer = personAnswer.extend({
  /** Whether the member is an administrator of the workspace. */
  is_admin: z.boolean(),
  /** False if the member was deactivated in the workspace and therefore has no access. */
  active: z.boolean(),
  role_id: id,
  is_owner: z.boolean(),
});

export type ProjectMember = z.infer<typeof projectMemberAnswer>;

/** A user with access to the project: as a member, through a team, or as an administrator. */
export const projectPersonAnswer = personAnswer;

export type ProjectPerson = z.infer<typeof projectPersonAnswer>;

const project: Project = {
  id: 5,
  workspace_id: 1,
  key: "WEB",
  name: "Web shop",
  description: null,
  features,
  lifecycle: { close_resolves: true, regression_reopens: true, ship_tells_reporters: false },
  feedback: {
    public_form: true,
    form_url: "https://signalbox.example.com/f/5u1Kx0Zr8fQy2mWc7dPnBA",
    done_message: DONE_MESSAGE,
    done_subject: DONE_SUBJECT,
  },
  spike: { events: 50, times: 10 },
  keep_vars: false,
  keep_debug_events: false,
  group_by_mapped_frames: false,
  repository_url_pattern: "https://github.com/acme/shop/blob/{release}/{path}#L{line}",
  is_owner: false,
  permissions: ["reports:read", "issues:read", "issues:update"],
  created_at: AT,
  updated_at: AT,
};

/** Examples for the API reference. */
export const projectExamples = {
  Project: { schema: projectAnswer, example: project },
  ProjectDetail: {
    schema: projectDetailAnswer,
    example: {
      ...project,
      code_owners: "*.ts @ada\n/src/checkout/ @payments",
      forward_dsn: "https://…51fe@errors.example.com/7",
    },
  },
  ProjectMember: {
    schema: projectMemberAnswer,
    example: { ...ada, is_admin: false, active: true, role_id: 2, is_owner: true },
  },
  ProjectBody: { schema: projectBody, example: { workspace_id: 1, key: "WEB", name: "Web shop" } },
  ProjectChanges: { schema: projectChanges, example: { description: "The shop and its back office." } },
  ProjectMemberBody: { schema: projectMemberBody, example: { user_id: 4, role_id: 2 } },
  ProjectMemberChanges: { schema: projectMemberChanges, example: { is_owner: true } },
};
