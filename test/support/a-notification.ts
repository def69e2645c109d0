import type { Notification } from "../../src/shared/notifications.ts";

/** An unread notification about a project, newer the higher its id. */
export const aNotification = (id: number, overrides: Partial<Notification> = {}): Notification => ({
  id,
  type: 2,
  message: `Entry ${id}`,
  read_at: null,
  created_at: `2026-11-20T09:00:${String(id).padStart(2, "0")}.000000Z`,
  actor: null,
  notifiable: { type: "project", id: 1, name: "Web" },
  excerpt: null,
  comment_id: null,
  report_id: null,
  epic_id: null,
  thumbnail_id: null,
  snoozed_until: null,
  ...overrides,
});

/** What makes a notification one about an issue. */
export const aboutIssue = (id: number): Pick<Notification, "notifiable"> => ({
  notifiable: { type: "issue", id, key: `WEB-${id}`, title: "Checkout", project_id: 1 },
});
