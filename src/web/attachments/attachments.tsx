import { useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import type { Attachment } from "../../shared/attachments.ts";
import type { Project } from "../../shared/projects.ts";
import { type Attachable, attachmentsPath, deleteAttachment } from "../data/attachments.ts";
import { can } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { deferredPart } from "../kit/lazy-part.tsx";
import type { ShownFile } from "./file-list.tsx";

/** Most issues and comments have no files, so their list loads when it is needed. */
const FileList = deferredPart(() => import("./file-list.tsx").then((module) => module.FileList));

export type AttachmentsProps = {
  project: Project;
  of: Attachable;
  attachments: readonly Attachment[];
  /** Files from elsewhere, shown after these. */
  more?: readonly ShownFile[];
};

const NO_FILES: readonly ShownFile[] = [];

/** The files of an issue, an epic or a comment. Those who may delete one have a button for it. */
export function Attachments({ project, of, attachments, more = NO_FILES }: AttachmentsProps) {
  const client = useQueryClient();
  const me = useProfile().id;
  if (attachments.length + more.length === 0) return null;
  const mayDelete = ({ user_id }: Attachment) =>
    can(project, "attachments:delete") || (user_id === me && can(project, "attachments:create"));
  const own = attachments.map((attachment): ShownFile => ({
    ...attachment,
    url: `${attachmentsPath(of)}/${attachment.id}/download`,
    ...(mayDelete(attachment) && { onDelete: () => deleteAttachment(client, of, attachment.id) }),
  }));
  return (
    <Suspense fallback={<div className="h-31" />}>
      <FileList files={[...own, ...more]} />
    </Suspense>
  );
}
