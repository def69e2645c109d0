import type { EventBody } from "./event-body.ts";
import { readText } from "./texts.ts";

type Data = { [name in Field]?: unknown };

type Field =
  | "id"
  | "key"
  | "name"
  | "title"
  | "version"
  | "description"
  | "content"
  | "goal"
  | "message"
  | "exception_class"
  | "latest_message"
  | "environment"
  | "release"
  | "last_release"
  | "deploys"
  | "commentable_type"
  | "commentable_id"
  | "rule"
  | (typeof ALERTED)[number];

type Described = {
  name: string;
  text: string;
  /** Relative to PUBLIC_URL. */
  path: string;
  environment: string;
  release: string;
};

/** The name, the page and the texts of the object that an event is about. Alerts contain their object under the name of its kind. */
export function describeObject({ type, project, ...event }: EventBody): Described {
  const data: Data = event.data;
  const [kind = ""] = type.split(".");
  const home = project ? `/projects/${encodeURIComponent(project.key)}` : "/";
  const nothing = { name: "", text: "", path: home, environment: "", release: "" };
  if (kind === "alert") {
    const inside = ALERTED.find((name) => isData(data[name]));
    const object = inside === undefined ? undefined : data[inside];
    if (inside === undefined || !isData(object)) return nothing;
    return { ...nothing, ...DESCRIBE[inside]?.(object, home) };
  }
  return { ...nothing, ...DESCRIBE[kind]?.(data, home) };
}

const ALERTED = ["error_group", "report", "release", "project"] as const;

/** The name of the rule, and what it is about. */
export function alertTitle(event: EventBody, object: string): string {
  const { rule }: Data = event.data;
  const name = isData(rule) ? readText(rule.name) : "";
  return [name, object].filter((part) => part !== "").join(" — ");
}

const isData = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const idOf = (data: Data) => String(Number(data.id));

const DESCRIBE: Record<string, (data: Data, home: string) => Partial<Described>> = {
  report: (data, home) => ({
    name: readText(data.title),
    text: readText(data.description),
    path: `${home}/reports/${idOf(data)}`,
  }),
  issue: (data, home) => ({
    name: [readText(data.key), readText(data.title)].join(" ").trim(),
    text: readText(data.description),
    path: `${home}/issues/${encodeURIComponent(readText(data.key))}`,
  }),
  comment: (data, home) => ({ text: readText(data.content), path: commentPath(data, home) }),
  error_group: (data, home) => ({
    name: readText(data.exception_class),
    text: readText(data.latest_message),
    path: `${home}/errors/${idOf(data)}`,
    environment: readText(data.environment),
    release: readText(data.last_release) || readText(data.release),
  }),
  release: (data, home) => ({
    name: readText(data.version),
    path: releasePath(readText(data.version), home),
    environment: deployedTo(data),
  }),
  epic: (data, home) => ({
    name: readText(data.title),
    text: readText(data.description),
    path: `${home}/epics/${idOf(data)}`,
  }),
  sprint: (data, home) => ({
    name: readText(data.name),
    text: readText(data.goal),
    path: `${home}/sprints/${idOf(data)}`,
  }),
  project: (data) => ({ name: readText(data.name) }),
  webhook: (data) => ({ text: readText(data.message) }),
};

function commentPath({ id, commentable_type, commentable_id }: Data, home: string): string {
  const page = { issues: "issues", epics: "epics", error_groups: "errors", reports: "reports" }[
    readText(commentable_type)
  ];
  return page === undefined ? home : `${home}/${page}/${Number(commentable_id)}#comment-${Number(id)}`;
}

/** A name such as ".." cannot be part of a path. */
const releasePath = (version: string, home: string) =>
  /^\.{1,2}$/.test(version)
    ? `${home}/release?version=${encodeURIComponent(version)}`
    : `${home}/releases/${encodeURIComponent(version)}`;

/** Deploys are sorted newest first. */
function deployedTo({ deploys }: Data): string {
  const [latest] = Array.isArray(deploys) ? (deploys as unknown[]) : [];
  return isData(latest) ? readText(latest.environment) : "";
}
