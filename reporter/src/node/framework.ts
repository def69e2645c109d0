import { property } from "../core/safe.ts";
import { installedVersion, programPackage } from "./package-json.ts";

/** Known frameworks by package. A framework that is built on another one comes before it. */
const frameworks: [packageName: string, name: string, builtOnAnother?: true][] = [
  ["next", "Next.js", true],
  ["nuxt", "Nuxt", true],
  ["@nestjs/core", "NestJS", true],
  ["@sveltejs/kit", "SvelteKit", true],
  ["@remix-run/node", "Remix", true],
  ["@adonisjs/core", "AdonisJS", true],
  ["astro", "Astro", true],
  ["@hapi/hapi", "hapi"],
  ["fastify", "Fastify"],
  ["hono", "Hono"],
  ["koa", "Koa"],
  ["express", "Express"],
];

/**
 * Returns the framework in the dependencies of the program's package.json, with its installed version.
 *
 * @param integrated name of the framework whose integration reported the error. It takes precedence over other
 *   frameworks in package.json, except those built on another one, such as Next.js.
 */
export function detectFramework(
  integrated?: string,
): { name: string; version?: string | undefined } | undefined {
  const own = programPackage();
  const dependencies = property(own?.content, "dependencies");
  const detected =
    frameworks.find(
      ([packageName, , outer]) => (outer || !integrated) && property(dependencies, packageName),
    ) ?? frameworks.find(([, name]) => name === integrated);
  if (!detected) return integrated === undefined ? undefined : { name: integrated };
  return { name: detected[1], version: own && installedVersion(detected[0], own.folder) };
}
