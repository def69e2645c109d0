import type { FastifyRequest } from "fastify";
import type { Outcome } from "../../../shared/usage.ts";
import type { Api } from "../../access/context.ts";
import type { UsageCounter } from "../../record/usage-counter.ts";

/** Adds each rejected request of the scope's routes, which receive events, to the project's usage as one event. */
export function countRefusals(api: Api, usage: UsageCounter): void {
  api.addHook("onResponse", (request, reply, done) => {
    const outcome = outcomeOf(reply.statusCode, request);
    const projectId = outcome && projectOf(request);
    if (outcome && projectId !== undefined) usage.add(projectId, outcome);
    done();
  });
}

function outcomeOf(status: number, { keyUse }: FastifyRequest): Outcome | undefined {
  if (isInvalid(status)) return "invalid";
  if (status === 429) return "limited";
  return status === 403 && keyUse?.isOriginAllowed === false ? "filtered" : undefined;
}

export const isInvalid = (status: number): boolean => status === 400 || status === 413 || status === 422;

/** Limits apply before the project in the path is looked up, but most credentials belong to one project. */
function projectOf(request: FastifyRequest): number | undefined {
  const { project, keyUse, caller } = request as Partial<FastifyRequest>;
  if (project) return project.id;
  return keyUse?.projectId ?? (caller?.kind === "project" ? caller.project_id : undefined);
}
