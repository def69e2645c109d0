/**
 * The folders of src/server from top to bottom. A folder imports only folders below it, so this is also the order in
 * which to read the code. main.ts is above all folders.
 */
export const SERVER_FOLDERS = [
  "commands/doctor",
  "demo",
  "commands/export",
  "commands/reset-password",
  "commands/explain-map",
  "commands/import",
  "commands/compare",
  // What the demo is made from: projects, texts, errors with their traces, and the random numbers that choose among them.
  "demo/samples",
  // Assembling and stopping the parts of a process.
  "start",
  // What the server offers besides the API: metrics, health, the API reference, the web app, packages to install.
  "serve/metrics",
  // The mechanism for background work, and the list of all jobs.
  "jobs",
  "commands/backup",
  "commands/upgrade",
  "serve/openapi",
  "serve/health",
  "serve/docs",
  "serve/downloads",
  "serve/widget",
  "serve/web-app",
  "serve/share-target",
  "boot",
  "home",
  "saved-views",
  // What a project exchanges with other tools.
  "integrations/alert-rules",
  "integrations/webhooks",
  // Sending what webhooks are told.
  "integrations/webhooks/deliver",
  "integrations/chat",
  // What agents use: tools, resources and prompts by the Model Context Protocol.
  "integrations/agents/mcp",
  "integrations/agents/mcp/tools",
  // What the tools share: calling routes, finding objects, writing lists within a budget.
  "integrations/agents/mcp/calls",
  // What programs read in place of people: pages as Markdown.
  "integrations/agents/markdown",
  // What people grant to apps: OAuth 2.1.
  "integrations/agents/oauth",
  "integrations/git",
  "integrations/git/hosts",
  // What an export has, imported into another installation.
  "integrations/transfer/from-export",
  // Everything in a project as one archive.
  "integrations/transfer/export",
  // Moving in from other tools. Sources read them, and the import stores what they yield.
  "integrations/transfer/compare",
  "integrations/transfer/import/runs",
  "integrations/transfer/import/sources",
  "integrations/transfer/import",
  "integrations/transfer",
  // Errors as people see them, and what they decide about them.
  "errors/retention",
  "errors/grouping",
  // Source maps and the files that they belong to: Sentry's clients and our own route upload them.
  "source-maps/sentry-clients",
  "source-maps/artifacts",
  // The path of an event: doors receive it, read/ reads it, store/ stores it.
  "ingest/doors/sentry",
  "ingest/doors/otlp",
  // Sending accepted envelopes to another server, too.
  "ingest/relay",
  // Check-ins of jobs. What is missed becomes an error.
  "monitors",
  "monitors/watch",
  "monitors/check-ins",
  "monitors/schedule",
  "errors/rules/privacy",
  "errors/kept-events",
  "ingest/doors",
  "ingest",
  // Sessions of programs, which are counted per release.
  "ingest/sessions",
  // Grouping by the original code of minified frames.
  "source-maps/grouping",
  "ingest/read/otlp",
  "ingest/read/sentry",
  "ingest/read/sentry/event",
  "ingest/store",
  "ingest/read",
  "errors/rules/inbound",
  "ingest/project-rules",
  // Inbound rules: which events are not stored.
  "ingest/drop-events",
  "errors/usage",
  "ingest/store/statement",
  // Privacy rules: what is removed from events.
  "ingest/remove-personal-data",
  // Finding the original code of minified frames, and unpacking uploads.
  "source-maps/mapping",
  "source-maps/unpack",
  "ingest/patterns",
  "errors/releases",
  "errors/releases/health",
  // Also indexes new errors.
  "reports/similar",
  "errors/groups",
  // Reports from people without an account.
  "reports/form",
  "reports/outside",
  "reports",
  "work/attachments",
  "work/comments",
  "work/issue-templates",
  "work/issues",
  "work/epics",
  "work/sprints",
  "work/labels",
  "work/lanes",
  "work/lifecycle",
  "work/ranks",
  // News of reports by email for people outside the team.
  "reports/subscriptions",
  // What people outside the team see of their reports, and write.
  "reports/status",
  "attachments",
  "sign-in/setup",
  "sign-in/oidc",
  "people/invitations",
  "people/teams/projects",
  "people/teams",
  "people/projects/tokens",
  "people/projects/ingest-keys",
  "people/projects/members",
  "people/projects",
  "people/roles",
  "people/workspaces/members",
  "people/workspaces",
  "people/deletions",
  "people/audit-log",
  "inform/inbox",
  "inform/notify",
  "inform/watches",
  "account/sessions",
  "account/second-factor",
  "account/password",
  "account/personal-tokens",
  "account/devices",
  "account/profile",
  "live",
  "mail",
  "push",
  // Requests to addresses that may be hostile, and which addresses they may go to.
  "integrations/webhooks/send",
  "integrations/webhooks/address",
  "search",
  "idempotency",
  "access",
  "record",
  "files",
  "files/storage",
  "limits",
  "http",
  "db",
  // Work that arrives while other work is in progress is done together.
  "batching",
  // How a process remembers values by text, and what happened lately.
  "caches",
  "postgres",
  "config",
  "answers",
] as const;
