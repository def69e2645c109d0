import { z } from "zod";
import { moment } from "./answers.ts";
import { AT, LATER } from "./example-values.ts";
import { clearable, id, line, mustBe, optional } from "./text.ts";

export const MAX_GIT_CONNECTIONS = 50;
export const MAX_SUSPECTS = 5;

/** The largest CODEOWNERS file, in bytes. */
export const MAX_CODE_OWNERS = 65_536;

/** Forgejo sends what Gitea sends. */
export const GIT_HOSTS = ["github", "gitlab", "gitea"] as const;
export type GitHost = (typeof GIT_HOSTS)[number];

const name = line(100);

/** What happens to an issue in a lane of kind todo or backlog when a request that names it is opened: it moves to the first such lane. */
const onOpen = z.literal("doing", mustBe('"doing" or null'));

export const gitConnectionBody = z.object({
  host: z.enum(GIT_HOSTS, { error: `must be one of ${GIT_HOSTS.join(", ")}` }),
  name: optional(name),
  on_open: optional(onOpen),
});

export const gitConnectionChanges = z.object({ name: clearable(name), on_open: clearable(onOpen) });

export const gitConnectionAnswer = z.strictObject({
  id,
  host: z.enum(GIT_HOSTS),
  name: z.string().nullable(),
  /** The address that the host sends its webhooks to. */
  url: z.string(),
  on_open: z.literal("doing").nullable(),
  last_delivery_at: moment.nullable(),
  created_at: moment,
});

export type GitConnection = z.infer<typeof gitConnectionAnswer>;

/** The secret is shown only in the response that creates the connection. */
export const newGitConnectionAnswer = gitConnectionAnswer.extend({ secret: z.string() });

export type NewGitConnection = z.infer<typeof newGitConnectionAnswer>;

export const gitLinkAnswer = z.strictObject({
  kind: z.enum(["commit", "request"]),
  host: z.enum(GIT_HOSTS),
  /** Its full name on the host: `acme/shop`. */
  repository: z.string(),
  /** The hash of a commit, or the number of a request. */
  ref: z.string(),
  title: z.string(),
  url: z.string(),
  author_name: z.string().nullable(),
  /** Null for a commit, like `review`. */
  state: z.enum(["open", "draft", "merged", "closed"]).nullable(),
  review: z.enum(["requested", "approved", "changes_requested"]).nullable(),
  checks: z.enum(["pending", "passing", "failing"]).nullable(),
  /** The first release whose deploy contains it. */
  release: z.string().nullable(),
  created_at: moment,
});

export type GitLink = z.infer<typeof gitLinkAnswer>;

export const suspectAnswer = z.strictObject({
  commit: z.string(),
  title: z.string(),
  author_name: z.string().nullable(),
  url: z.string(),
  /** The changed files that are in the stack trace. */
  files: z.array(z.string()),
  created_at: moment,
  /** The member who has confirmed the author's address; null if there is none, or more than one. */
  user_id: id.nullable(),
});

/** Newest first. */
export const suspectsAnswer = z.strictObject({ data: z.array(suspectAnswer).max(MAX_SUSPECTS) });

export type Suspect = z.infer<typeof suspectAnswer>;

/** A person or a team that the project's CODEOWNERS names for the file. */
export const codeOwnerAnswer = z.union([
  z.strictObject({ user_id: id, username: z.string() }),
  z.strictObject({ team_id: id, name: z.string() }),
]);

export type CodeOwner = z.infer<typeof codeOwnerAnswer>;

const tooLarge = "must be at most 64 KiB";

/** Text in the syntax of CODEOWNERS files. */
export const codeOwners = z
  .string(mustBe("a string"))
  .refine((value) => new TextEncoder().encode(value).length <= MAX_CODE_OWNERS, tooLarge)
  .refine((value) => !value.includes("\0"), "must not contain NUL characters")
  .meta({ maxLength: MAX_CODE_OWNERS });

const connection: GitConnection = {
  id: 4,
  host: "github",
  name: "acme/shop",
  url: "https://signalbox.example.com/api/git/8fQ2vN7xK4mR1tY6wB3cZ9dL5hJ0sGpA",
  on_open: "doing",
  last_delivery_at: LATER,
  created_at: AT,
};

export const gitLinkExample: GitLink = {
  kind: "request",
  host: "github",
  repository: "acme/shop",
  ref: "128",
  title: "Check the cart before the payment",
  url: "https://github.com/acme/shop/pull/128",
  author_name: "ada",
  state: "merged",
  review: "approved",
  checks: "passing",
  release: "4.2.1",
  created_at: AT,
};

const suspect: Suspect = {
  commit: "9f2c1e7a4b5d6f708192a3b4c5d6e7f809a1b2c3",
  title: "Read the address from the session",
  author_name: "Ada Lovelace",
  url: "https://github.com/acme/shop/commit/9f2c1e7a4b5d6f708192a3b4c5d6e7f809a1b2c3",
  files: ["src/checkout/address.ts"],
  created_at: AT,
  user_id: 3,
};

/** Examples for the API reference. */
export const gitExamples = {
  GitLink: { schema: gitLinkAnswer, example: gitLinkExample },
  CodeOwner: { schema: codeOwnerAnswer, example: { user_id: 3, username: "ada" } },
  Suspect: { schema: suspectAnswer, example: suspect },
  GitConnection: { schema: gitConnectionAnswer, example: connection },
  NewGitConnection: {
    schema: newGitConnectionAnswer,
    example: {
      ...connection,
      last_delivery_at: null,
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
    },
  },
  GitConnectionBody: { schema: gitConnectionBody, example: { host: "github", name: "acme/shop" } as const },
  GitConnectionChanges: { schema: gitConnectionChanges, example: { on_open: "doing" } as const },
  Suspects: {
    schema: suspectsAnswer,
    example: {
      data: [suspect],
    },
  },
};
