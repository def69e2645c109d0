#!/usr/bin/env node
import { run } from "./run.ts";

// `sbx errors | head` closes the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2));
