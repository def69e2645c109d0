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
 * Loads a module of Node's own when it is first needed. `import` would evaluate all its exports: with `node:http`
 * that is fetch and WebSocket, 60 ms and 12 MB for a program that uses neither.
 */
export const builtin = createRequire(process.execPath) as <Name extends keyof Builtins>(
  name: Name,
) => Builtins[Name];
