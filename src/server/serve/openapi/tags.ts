/** The sections of the reference, in order. An operation belongs to the first one whose `paths` match. */
export const TAGS: readonly { name: string; description: string; paths: RegExp }[] = [
  {
    name: "Reports",
    description: "Feedback from users and from other systems, in a queue to promote to issues or dismiss.",
    paths: /\/widget$|\/reports(?!\/watch$|\/[^/]+\/(attachments|comments))|^\/api\/r\//,
  },
  {
    name: "Attachments",
    description:
      "Files of reports, issues, epics, errors and comments. Images are stored as WebP, without metadata.",
    paths: /\/attachments/,
  },
  {
    name: "Watching",
    description: "Who is notified about an issue, an error or a project's new reports.",
    paths: /\/watch$/,
  },
  {
    name: "Comments",
    description:
      "Threads on issues, epics, errors and reports, one level deep, with mentions, likes and a pinned comment.",
    paths: /\/comments/,
  },
  {
    name: "Feedback",
    description: "Reports from web pages, apps and a project's public form, from people without an account.",
    paths: /\/(feedback|forms)(\/|$)/,
  },
  {
    name: "Error events",
    description: "Apps send their exceptions here. What becomes of them: usage, privacy and inbound rules.",
    paths:
      /\/(error-events|otlp\/v1\/(logs|traces)|usage|(privacy|inbound)-rules.*)$|\/projects\/[^/]+\/events\//,
  },
  {
    name: "Error groups",
    description: "Errors grouped by cause, with counts per day, release, host and user.",
    paths: /\/error-groups/,
  },
  {
    name: "Releases",
    description: "Versions of a project's apps: their deploys, and the errors they introduced and fixed.",
    paths: /\/(releases?|fix-release)(\/|$)/,
  },
  {
    name: "Issues",
    description: "The work to do, who does it, and its status.",
    paths: /\/issue(s|-templates)/,
  },
  { name: "Epics", description: "Groups of related issues that span several sprints.", paths: /\/epics/ },
  {
    name: "Planning",
    description: "A project's lanes, labels and sprints.",
    paths: /\/projects\/[^/]+\/(lanes|labels|sprints)/,
  },
  {
    name: "Notifications",
    description: "The caller's inbox and email preferences.",
    paths: /\/(notification|push-)/,
  },
  {
    name: "Sign-in",
    description: "The first-run setup, browser sessions, passwords, second factors and identity providers.",
    paths: /^\/api\/(setup|session|sign-in|password|oidc|profile\/(sessions|password|second-factor|identit))/,
  },
  {
    name: "Tokens",
    description:
      "Personal tokens act as their user, project tokens act within one project. Ingest keys only send to a project.",
    paths: /\/(tokens|ingest-keys)/,
  },
  {
    name: "Connected apps",
    description:
      "OAuth 2.1 for apps that people connect: asking a person for access, and the tokens that follow from it.",
    paths: /^\/api\/oauth\//,
  },
  {
    name: "Profile",
    description: "The caller's profile, profile pictures, home page, and what the web app reads first.",
    paths: /^\/api\/(profile|users|boot|home|reads)/,
  },
  {
    name: "Projects",
    description: "Projects and their members.",
    paths: /^\/api\/(projects|deletions)/,
  },
  {
    name: "Workspaces",
    description: "Workspaces with their members, teams, roles, invitations, emails and audit log.",
    paths: /^\/api\/(workspaces|invitations)/,
  },
  { name: "Search", description: "Searches everything that the caller may read.", paths: /^\/api\/search/ },
  { name: "Live updates", description: "A stream of changes as they happen.", paths: /^\/api\/events/ },
  { name: "Operation", description: "For operators of the server.", paths: /^\/api\// },
];

export const tagOf = (url: string) => TAGS.find((tag) => tag.paths.test(url))?.name ?? "Operation";
