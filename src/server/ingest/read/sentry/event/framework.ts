import { at, name, record, type JsonRecord } from "../../coerce.ts";

/** Packages that have the framework's version but another name than the framework. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  nextjs: ["next"],
  nestjs: ["@nestjs/core"],
  sveltekit: ["@sveltejs/kit"],
  angular: ["@angular/core"],
  remix: ["@remix-run/react", "@remix-run/node"],
  "react-router": ["react-router"],
  solidstart: ["@solidjs/start"],
  "tanstackstart-react": ["@tanstack/react-start"],
  laravel: ["laravel/framework"],
  symfony: ["symfony/framework-bundle", "symfony/http-kernel"],
  "spring-boot": ["org.springframework.boot:spring-boot", "spring-boot"],
  spring: ["org.springframework:spring-web", "spring-web"],
  gin: ["github.com/gin-gonic/gin"],
  echo: ["github.com/labstack/echo/v4", "github.com/labstack/echo"],
  fiber: ["github.com/gofiber/fiber/v2", "github.com/gofiber/fiber/v3"],
};

/**
 * Web frameworks that appear in the mechanism that caught the exception. It is more precise than the SDK's name: Express has
 * no SDK of its own, and Python's SDK is named after the first installed framework.
 */
const WEB_FRAMEWORKS = ["express", "fastify", "koa", "hono", "hapi", "connect", "django", "flask", "fastapi"];
const OTHER_FRAMEWORKS = ["celery", "sidekiq", "bullmq"];

/** Last parts of SDK names that are not frameworks but runtimes, loggers or parts of a standard library. */
const NO_FRAMEWORKS = new Set([
  "browser",
  "node",
  "node-core",
  "core",
  "bun",
  "deno",
  "cloudflare",
  "vercel-edge",
  "serverless",
  "aws-serverless",
  "google-cloud-serverless",
  "wasm",
  "worker",
  "http",
  "fasthttp",
  "slog",
  "logrus",
  "zap",
  "zerolog",
  "logback",
  "log4j2",
  "jul",
  "android",
  "asgi",
  "wsgi",
  "aspnetcore.blazor",
  "native",
]);

/** The application's framework, usually from the name of the SDK: `sentry.python.django`. */
export function frameworkOf(event: JsonRecord, thrown: JsonRecord | undefined) {
  const mechanism = (name(at(thrown, "mechanism", "type")) ?? "").split(/[._]/);
  const named = (frameworks: readonly string[]) => frameworks.find((each) => mechanism.includes(each));
  const framework =
    named(WEB_FRAMEWORKS) ?? bySdk(at(event, "sdk", "name")) ?? named(OTHER_FRAMEWORKS) ?? null;
  return { name: framework, version: framework === null ? null : versionOf(event, framework) };
}

function bySdk(sdk: unknown): string | null {
  const parts = (name(sdk) ?? "").split(".");
  if (parts[0] !== "sentry" || parts.length < 3) return null;
  const framework = parts
    .slice(2)
    .join(".")
    .replace(/\.jakarta$|-jakarta$|-[34]$/, "");
  return NO_FRAMEWORKS.has(framework) ? null : framework;
}

function versionOf(event: JsonRecord, framework: string): string | null {
  const modules = record(event.modules);
  for (const wanted of PACKAGES[framework] ?? [framework]) {
    const version = name(at(modules, wanted)) ?? name(at(modules, capitalized(wanted)));
    if (version !== null) return version;
  }
  return name(at(event, "contexts", framework, "version"));
}

/** Python's modules have the names of their packages, which may be capitalized: `Django`, `Flask`. */
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
