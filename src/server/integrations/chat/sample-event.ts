import { commentExamples } from "../../../shared/comments.ts";
import { epicExamples } from "../../../shared/epics.ts";
import { errorGroupExamples } from "../../../shared/error-groups.ts";
import { issueExamples } from "../../../shared/issues.ts";
import { releaseExamples } from "../../../shared/releases.ts";
import { reportExamples } from "../../../shared/reports.ts";
import { sprintExamples } from "../../../shared/sprints.ts";
import type { WebhookEventName } from "../../../shared/webhooks.ts";
import type { EventBody } from "./event-body.ts";

const group = errorGroupExamples.ErrorGroup.example;
const rule = { id: 1, name: "Many errors in production" };

/** The objects of the API reference, by kind. */
const OBJECTS: Record<string, object> = {
  report: reportExamples.Report.example,
  issue: issueExamples.Issue.example,
  comment: commentExamples.Comment.example,
  error_group: group,
  release: releaseExamples.Release.example,
  epic: epicExamples.Epic.example,
  sprint: sprintExamples.Sprint.example,
  alert: { rule, error_group: group },
  webhook: { message: "This is a test from Signalbox." },
};

type Place = Pick<EventBody, "project" | "actor">;

/** An event as a webhook could get it, for previews. */
export function sampleEvent(type: WebhookEventName, { project = null, actor = null }: Place): EventBody {
  const kind = type.split(".")[0] ?? "";
  const object = OBJECTS[kind] ?? {};
  // The example's key belongs to another project.
  const key = kind === "issue" && project ? { key: `${project.key}-12` } : {};
  return { type, project, actor, data: { ...object, ...key } };
}
