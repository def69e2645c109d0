import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const FILE = path.join(import.meta.dirname, "../../src/server/db/schema.ts");
const CODEGEN = path.join(import.meta.dirname, "../../node_modules/kysely-codegen/dist/cli/bin.js");

/** Writes the row types of a migrated database. With `verify`, fails if the file differs from it. */
export async function rowTypes(url: string, mode: "write" | "verify"): Promise<void> {
  await promisify(execFile)(process.execPath, [
    CODEGEN,
    "--dialect=postgres",
    `--url=${url}`,
    `--out-file=${FILE}`,
    "--date-parser=string",
    `--type-mapping=${JSON.stringify({ int8: "number", timestamptz: "string", interval: "string" })}`,
    ...(mode === "verify" ? ["--verify"] : []),
  ]);
}
