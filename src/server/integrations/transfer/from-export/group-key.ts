import { fingerprint } from "../../../ingest/read/fingerprint.ts";
import { groupOf, keyOf } from "../../../ingest/store/group-identity.ts";
import type { Line } from "./read-lines.ts";

type Projects = { sourceId: number; projectId: number };

/**
 * The key of an imported group. If class and trace of its latest event give the key that it had, they give the key here, so
 * that later events join the group. Otherwise its client or a merge determined the fingerprint, which a key does not tell.
 */
export function keyOfGroup(line: Line, { sourceId, projectId }: Projects): Buffer {
  const { environment, exception_class } = line;
  const { cut, stack_trace } = Object(line["latest_event"]) as { cut?: unknown; stack_trace?: unknown };
  const trace = (Object(cut) as { stack_trace?: unknown }).stack_trace ?? stack_trace;
  const exported = String(line["key"]);
  if (typeof environment === "string" && typeof exception_class === "string" && typeof trace === "string") {
    const identity = { fingerprint: fingerprint(exception_class, trace), environment };
    if (`\\x${keyOf(groupOf(sourceId, identity)).toString("hex")}` === exported)
      return keyOf(groupOf(projectId, identity));
  }
  return keyOf(`${projectId} of ${sourceId} ${exported}`);
}
