import { property } from "../core/safe.ts";
import { installedVersion, programPackage } from "./package-json.ts";

/** Frameworks by their package; one that is built on another stands before it. */
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
 * The framework that the program's package.json depends on, with the version that is installed.
 *
 * @param serving the one an integration serves: it outweighs its peers in package.json, not what is built on it
 */
export function detectFramework(
  serving?: string,
): { name: string; version?: string | undefined } | undefined {
  const own = programPackage();
  const dependencies = property(own?.content, "dependencies");
  const found =
    frameworks.find(([packageName, , outer]) => (outer || !serving) && property(dependencies, packageName)) ??
    frameworks.find(([, name]) => name === serving);
  if (!found) return serving === undefined ? undefined : { name: serving };
  return { name: found[1], version: own && installedVersion(found[0], own.folder) };
}
