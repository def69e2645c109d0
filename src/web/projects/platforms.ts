import { errorCommand, sentryErrorCommand } from "../sending/curl-commands.ts";
import { dotnet, go, java, php, python, ruby } from "./http-snippets.ts";
import * as reporter from "./reporter-snippets.ts";
import * as sentry from "./sentry-snippets.ts";
import type { IngestDestination } from "../sending/target.ts";

export type Platform = {
  name: string;
  sentry: string;
  /** Code with the reporter, or without any library for platforms that it does not support. */
  own: { kind: "reporter" | "http"; code: string };
};

/** The most used platforms, with code that sends an app's errors to the target. */
export function platforms(target: IngestDestination): Platform[] {
  const { dsn, url, key, project } = target;
  const endpoint = `${url}/api/projects/${project.key}/error-events`;
  const withReporter = (code: string) => ({ kind: "reporter", code }) as const;
  const withHttp = (write: (endpoint: string, key: string) => string) =>
    ({ kind: "http", code: write(endpoint, key) }) as const;
  return [
    { name: "JavaScript", sentry: sentry.browser(dsn), own: withReporter(reporter.scriptTag(target)) },
    { name: "React", sentry: sentry.react(dsn), own: withReporter(reporter.react(target)) },
    { name: "Next.js", sentry: sentry.nextjs(dsn), own: withReporter(reporter.nextjs(target)) },
    { name: "Vue", sentry: sentry.vue(dsn), own: withReporter(reporter.vue(target)) },
    { name: "Node.js", sentry: sentry.node(dsn), own: withReporter(reporter.node(target)) },
    { name: "Express", sentry: sentry.express(dsn), own: withReporter(reporter.express(target)) },
    { name: "Python", sentry: sentry.python(dsn), own: withHttp(python) },
    { name: "Django", sentry: sentry.django(dsn), own: withHttp(python) },
    { name: "Flask", sentry: sentry.flask(dsn), own: withHttp(python) },
    { name: "Go", sentry: sentry.go(dsn), own: withHttp(go) },
    { name: "Spring Boot", sentry: sentry.springBoot(dsn), own: withHttp(java) },
    { name: "Laravel", sentry: sentry.laravel(dsn), own: withHttp(php) },
    { name: "Rails", sentry: sentry.rails(dsn), own: withHttp(ruby) },
    { name: "ASP.NET Core", sentry: sentry.aspNet(dsn), own: withHttp(dotnet) },
    {
      name: "curl",
      sentry: sentryErrorCommand(target),
      own: { kind: "http", code: errorCommand(target) },
    },
  ];
}
