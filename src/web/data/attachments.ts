import type { QueryClient } from "@tanstack/react-query";
import type { Attachment } from "../../shared/attachments.ts";
import { api } from "../api/client.ts";
import { patchEverywhere } from "./cache/patch-everywhere.ts";

/** An issue, an epic or a comment with attachments. */
export type Attachable = {
  kind: "issue" | "epic" | "comment";
  project_id: number;
  id: number;
  /** Its path: `/api/projects/5/issues/312`. */
  path: string;
};

export const attachmentsPath = ({ path }: Attachable) => `${path}/attachments`;

/** Puts a new attachment into the cache. A live update may have brought it already. */
export async function putAttachment(client: QueryClient, of: Attachable, attachment: Attachment) {
  change(client, of, (all) => [...all.filter(({ id }) => id !== attachment.id), attachment]);
  await refetch(client, of);
}

export async function deleteAttachment(client: QueryClient, of: Attachable, id: number): Promise<void> {
  await api.delete(`${attachmentsPath(of)}/${id}`);
  change(client, of, (all) => all.filter((attachment) => attachment.id !== id));
  await refetch(client, of);
}

function change(
  client: QueryClient,
  { kind, id }: Attachable,
  to: (attachments: readonly Attachment[]) => Attachment[],
) {
  patchEverywhere<"issue" | "epic" | "comment">(client, kind, id, ({ attachments }) => ({
    attachments: to(attachments),
  }));
}

/** The issue has a new entry in its history and a new `updated_at`. */
const refetch = (client: QueryClient, { kind, project_id }: Attachable) =>
  kind === "comment" ? undefined : client.invalidateQueries({ queryKey: [kind, project_id] });
