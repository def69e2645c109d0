/**
 * The folders of src/web from top to bottom. A folder imports only folders below it, so this is also the order in which
 * to read the code. main.tsx starts everything and stands above all. Nobody imports app/: what pages need of the frame
 * around them, such as opening a dialog, is in page/.
 */
export const WEB_FOLDERS = [
  // The routes, the frame, the dialogs that open anywhere.
  "app",
  // All parts of the kit side by side, in development only.
  "gallery",
  // The areas. An area may use the components of an area below it; what they know of each other's data is in data/.
  "setup",
  "projects/settings",
  "projects",
  "sprints",
  "board",
  "epics",
  "reports",
  "issues/issue-page",
  "issues/issue-rail",
  "issues/issue-relations",
  "issues/issue-text",
  "issues",
  "workspaces",
  "profile",
  "comments",
  "activity",
  "errors",
  "inbox",
  "search",
  "audit",
  "session",
  // What the server holds: queries, changes of the cache, actions that are pending, live updates. No components.
  "data",
  // Keys, focus, selection and drag and drop in any list. Knows nothing of the server.
  "lists",
  // Panels and dialogs that send a form, as settings use them.
  "forms",
  // What every page may use: its address, what it shows when it cannot load, how it opens a dialog.
  "page",
  // Buttons, fields, menus, texts. Knows no area and no server.
  "kit",
  // The commands and their keys. Below the kit, because menus and tooltips show the keys.
  "keys",
  // Requests, their errors, server-sent events.
  "api",
  // Values that components follow, and values kept in the browser.
  "state",
] as const;
