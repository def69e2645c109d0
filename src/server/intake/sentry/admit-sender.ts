import type { FastifyReply, FastifyRequest } from "fastify";
import { answerOrigin } from "../../access/admit-by-key.ts";
import { findIngestKey, type IngestKey } from "../../access/find-ingest-key.ts";
import { noteKeyUse } from "../../access/note-key-use.ts";
import { forbidden } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/**
 * The ingest key with which the request may send to the project; without a project, the key determines it. The same 403
 * in all other cases, so that nobody learns which projects and keys exist.
 */
export async function admitSender(
  db: Db,
  { request, reply }: Exchange,
  key: string | undefined,
  projectId?: string,
): Promise<IngestKey> {
  const found = key === undefined ? undefined : await findIngestKey(db, key);
  const isOfProject = projectId === undefined || projectId === String(found?.projectId);
  if (!found?.isActive || !isOfProject) throw notValid();
  const isOriginAllowed = answerOrigin(request, reply, found);
  request.keyUse = { projectId: found.projectId, isOriginAllowed };
  if (!isOriginAllowed) throw notValid();
  noteKeyUse(db, found.id);
  return found;
}

const notValid = () => forbidden("The DSN is not valid for this project.");
