/** Builds the package in dist/, for npm and for the tests. */
import { join } from "node:path";
import { buildPackage } from "./build-package.ts";

await buildPackage(join(import.meta.dirname, "../dist"));
