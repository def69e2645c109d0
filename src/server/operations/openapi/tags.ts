/** The areas of the API, in the order of the reference; an operation belongs to the first whose paths match. */
export const TAGS: readonly { name: string; description: string; paths: RegExp }[] = [
  {
    name: "Reports",
    description:
      "Feedback from people and from other systems: a queue to be promoted to issues, or dismissed.",
    paths: /\/reports(?!\/watch$|\/[^/]+\/attachments)/,
  },
  {
    name: "Attachments",
    description: "Files of a report. Images are stored as WebP, without their metadata.",
    paths: /\/reports\/[^/]+\/attachments/,
  },
  {
    name: "Watching",
    description: "Who is told of what happens to an issue, or of new reports of a project.",
    paths: /\/watch$/,
  },
  {
    name: "Comments",
    description: "Discussions of one level on issues and on epics, with mentions, likes and a pin.",
    paths: /\/comments/,
  },
  {
    name: "Error events",
    description: "Where programs send their exceptions to.",
    paths: /\/error-events$/,
  },
  {
    name: "Error groups",
    description: "Exceptions that are the same error, counted by day, release, host and user.",
    paths: /\/error-groups/,
  },
  {
    name: "Issues",
    description: "The work: what is to be done, by whom, and where it stands.",
    paths: /\/issues/,
  },
  { name: "Epics", description: "Issues that belong together for longer than a sprint.", paths: /\/epics/ },
  {
    name: "Planning",
    description: "A project's lanes, labels and sprints.",
    paths: /\/projects\/[^/]+\/(lanes|labels|sprints)/,
  },
  {
    name: "Notifications",
    description: "The caller's inbox, and what of it is mailed.",
    paths: /\/notification/,
  },
  {
    name: "Sign-in",
    description: "The first set-up, sessions of browsers, passwords, and other ways to prove who one is.",
    paths: /^\/api\/(setup|session|sign-in|password|oidc|profile\/(sessions|password|second-factor|identit))/,
  },
  {
    name: "Tokens",
    description: "Credentials of programs: personal tokens act as their user, project tokens in one project.",
    paths: /\/tokens/,
  },
  {
    name: "Profile",
    description: "The caller, and pictures of people.",
    paths: /^\/api\/(profile|users)/,
  },
  {
    name: "Projects",
    description: "Projects, and who belongs to them.",
    paths: /^\/api\/projects/,
  },
  {
    name: "Workspaces",
    description: "Workspaces with their members, teams, roles, invitations, mails and audit log.",
    paths: /^\/api\/(workspaces|invitations)/,
  },
  { name: "Search", description: "Everything the caller may read.", paths: /^\/api\/search/ },
  { name: "Live updates", description: "What changes, as it changes.", paths: /^\/api\/events/ },
  { name: "Operation", description: "For whoever runs the server.", paths: /^\/api\// },
];

export const tagOf = (url: string) => TAGS.find((tag) => tag.paths.test(url))?.name ?? "Operation";
