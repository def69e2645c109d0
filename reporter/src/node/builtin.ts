import type * as Crypto from "node:crypto";
import type * as Fs from "node:fs";
import type * as Http from "node:http";
import type * as Https from "node:https";
import { createRequire } from "node:module";
import type * as Os from "node:os";
import type * as Path from "node:path";
import type * as V8 from "node:v8";
import type * as Threads from "node:worker_threads";

interface Builtins {
  "node:crypto": typeof Crypto;
  "node:fs": typeof Fs;
  "node:http": typeof Http;
  "node:https": typeof Https;
  "node:os": typeof Os;
  "node:path": typeof Path;
  "node:v8": typeof V8;
  "node:worker_threads": typeof Threads;
}

/**
 * Loads a built-in module on first use. `import` would evaluate all its exports: `node:http` exports fetch and
 * WebSocket, which costs a program that uses neither 60 ms and 12 MB.
 */
export const builtin = createRequire(process.execPath) as <Name extends keyof Builtins>(
  name: Name,
) => Builtins[Name];
