import type { Notification } from "../../src/shared/notifications.ts";
import type { Client } from "../support/client.ts";
import { makeNotification } from "../support/inbox.ts";
import { makeMember, type TestUser } from "../support/make.ts";
import type { TestPage } from "./test-page.ts";
import type { TestSite } from "./test-site.ts";

export type Box = {
  user: TestUser;
  client: Client;
  put(message: string, overrides?: Parameters<typeof makeNotification>[3]): Promise<number>;
  open(search?: string, options?: { theme?: "light" | "dark"; width?: number }): Promise<TestPage>;
  /** The message and read state of each entry on the server, newest first. */
  entries(): Promise<[string, boolean][]>;
};

/** Creates a user with these messages in the inbox, the last one newest. */
export async function openBox(site: TestSite, ...messages: string[]): Promise<Box> {
  const user = await makeMember(site.t.db, site.project.id, { role: "Manager" });
  const client = await site.clientOf(user);
  const about = { workspace_id: site.workspaceId, project_id: site.project.id };
  const put: Box["put"] = (message, overrides = {}) =>
    makeNotification(site.t.db, user, about, { message, actor_id: site.owner.id, ...overrides });
  for (const message of messages) await put(message);
  return {
    user,
    client,
    put,
    open: (search = "", options = {}) => site.open(`/notifications${search}`, { as: user, ...options }),
    entries: async () =>
      ((await client.get("/api/notifications")).body as Notification[]).map(({ message, read_at }) => [
        message,
        read_at !== null,
      ]),
  };
}

export const rows = (page: TestPage) =>
  page.getByRole("list", { name: "Notifications" }).getByRole("listitem");
export const row = (page: TestPage, message: string) => rows(page).filter({ hasText: message });
export const preview = (page: TestPage) => page.getByRole("region", { name: "Notification", exact: true });
