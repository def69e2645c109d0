/**
 * The folders of src/web from top to bottom. A folder imports only folders below it, so this is also the order in which
 * to read the code. main.tsx starts the app and is above all folders. No other folder imports app/: what pages need from
 * it, such as opening a dialog, is in page/.
 */
export const WEB_FOLDERS = [
  // Routes, layout, and dialogs that can open on every page.
  "app",
  // A showcase of all kit components, in development only.
  "gallery",
  // The areas. An area may use components of an area below it; shared data is in data/.
  "setup",
  "home",
  "reference",
  "projects/settings",
  "projects",
  "sprints",
  "board",
  "epics",
  "inbox",
  "reports",
  "errors/list",
  // The page of one error.
  "errors/group",
  // One event of an error: its stack trace with source lines, breadcrumbs, tags and other details.
  "errors/event",
  // How events are grouped into an error; merging errors and splitting them again.
  "errors/grouping",
  // Resolving, ignoring, snoozing, assigning, linking: menus, buttons and dialogs.
  "errors/status",
  // The view of a list: its address, its order, and the errors that it shows.
  "errors",
  // The dialog that promotes reports or an error to an issue, and taking a promotion back.
  "promotion",
  "releases",
  // What was uploaded for a release, what is missing, and how to upload it.
  "releases/source-maps",
  "monitors",
  "issues/issue-page",
  "issues/issue-rail",
  "issues/issue-relations",
  "issues/issue-text",
  "issues",
  // What resembles the text of a form.
  "similar",
  "lifecycle",
  "workspaces",
  // The list of what is connected and can be, and the steps for each service.
  "integrations/connect",
  "integrations/alert-rules",
  "integrations/git",
  "integrations/webhooks",
  // The services, and the project or workspace that is connected to them.
  "integrations",
  // Bringing data along from other trackers.
  "imports",
  // The page on which a person connects an app.
  "oauth",
  "profile",
  "comments",
  "activity",
  "search",
  "views",
  "audit",
  "session",
  // Commands with a project's ingest key, for empty lists and the setup.
  "sending",
  // The Markdown editor: toolbar, keys, suggestions.
  "editor",
  // Uploads, lists of files and the image viewer, for everything that has attachments.
  "attachments",
  // Keyboard, focus, selection and drag and drop for lists. Independent of the server.
  "lists",
  // Server state: queries, cache updates, pending actions. No components. At the top is what several areas share, such as
  // comments, and what concerns all data: live updates, the first data, signing out.
  "data",
  "data/inbox",
  // Webhooks, alert rules and connections to Git hosts.
  "data/integrations",
  "data/reports",
  "data/errors",
  "data/monitors",
  "data/issues",
  // Changes that wait for the connection, and how they are sent.
  "data/offline",
  // Projects and workspaces with their lanes, labels, sprints, epics, people and settings.
  "data/projects",
  // The session and the user's own account.
  "data/account",
  // What all of them share: copies of a thing in several answers, optimistic updates.
  "data/cache",
  // Panels and dialogs with forms, as used in settings.
  "forms",
  // What every page may use: its URL, error states, opening dialogs.
  "page",
  "kit/charts",
  "kit/markdown",
  "kit/dates",
  // Icons and marks of our nouns: lanes, priorities, types, labels, estimates.
  "marks",
  // Buttons, fields, menus, texts. Independent of areas and the server.
  "kit",
  // Commands and their shortcuts. Below the kit, because menus and tooltips show shortcuts.
  "keys",
  // Messages, and the steps that can be undone.
  "kit/notices",
  // Requests, their errors, server-sent events.
  "api",
  // Observable values, and values stored in the browser.
  "state",
] as const;
