/** Builds the program in dist/, for npm. */
import path from "node:path";
import { buildProgram } from "./build-package.ts";

await buildProgram(path.join(import.meta.dirname, "../dist/sbx.js"));
