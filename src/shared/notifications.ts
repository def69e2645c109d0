import { z } from "zod";
import { filterOf, idFilter } from "./filters.ts";
import { PREFERENCES, type Preference } from "./people.ts";
import { boolean, id, mustBe, optional } from "./text.ts";

/** The contract of the inbox, watches and preferences (service.md 2.4–2.6, 4.3). */

export const ASSIGNMENT = 1;
export const COMMENT = 2;
export const LANE_CHANGE = 3;
export const MENTION = 4;
export const PROJECT_MEMBERSHIP = 5;
export const TEAM_MEMBERSHIP = 6;
export const REPORT_CREATED = 7;

export type NotificationType =
  | typeof ASSIGNMENT
  | typeof COMMENT
  | typeof LANE_CHANGE
  | typeof MENTION
  | typeof PROJECT_MEMBERSHIP
  | typeof TEAM_MEMBERSHIP
  | typeof REPORT_CREATED;

export const MOST_NOTIFICATIONS = 500;

const limit = filterOf(`must be a whole number from 1 to ${MOST_NOTIFICATIONS}`, (value) =>
  /^[0-9]{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= MOST_NOTIFICATIONS
    ? Number(value)
    : undefined,
);

/** Newest first; `cursor` is that of the `Link` header. */
export const notificationListQuery = z.object({
  limit,
  cursor: z.string({ error: "must be given once" }).optional(),
  unread: filterOf("must be true or false", (value) =>
    value === "true" ? true : value === "false" ? false : undefined,
  ),
  type: filterOf("must be a whole number from 1 to 7", (value) =>
    /^[1-7]$/.test(value) ? (Number(value) as NotificationType) : undefined,
  ),
  project_id: idFilter,
});

export type NotificationListQuery = z.output<typeof notificationListQuery>;

/** An id that is there twice is there once. */
export const notificationIdsBody = z.object({
  notification_ids: z.array(id, mustBe("an array of ids")).min(1, "must have at least one id"),
});

export const preferencesBody = z.object(
  Object.fromEntries(PREFERENCES.map((preference) => [preference, optional(boolean)])) as Record<
    Preference,
    ReturnType<typeof optional<typeof boolean>>
  >,
);

export type Notifiable =
  | { type: "issue"; id: number; key: string; title: string; project_id: number }
  | { type: "project"; id: number; name: string }
  | { type: "team"; id: number; name: string };

export type Notification = {
  id: number;
  type: NotificationType;
  message: string;
  /** null: unread. */
  read_at: string | null;
  created_at: string;
  /** null: nobody, or somebody who is gone. */
  actor: {
    id: number;
    first_name: string;
    last_name: string;
    profile_picture: { avif: string; webp: string } | null;
  } | null;
  notifiable: Notifiable;
};
