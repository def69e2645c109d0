import type * as AsyncHooks from "node:async_hooks";
import type * as Crypto from "node:crypto";
import type * as Channels from "node:diagnostics_channel";
import type * as Fs from "node:fs";
import type * as Http from "node:http";
import type * as Https from "node:https";
import * as nodeModule from "node:module";
import type * as Os from "node:os";
import type * as Path from "node:path";
import type * as Tls from "node:tls";
import type * as V8 from "node:v8";
import type * as Threads from "node:worker_threads";

interface Builtins {
  "node:async_hooks": typeof AsyncHooks;
  "node:crypto": typeof Crypto;
  "node:diagnostics_channel": typeof Channels;
  "node:fs": typeof Fs;
  "node:http": typeof Http;
  "node:https": typeof Https;
  "node:os": typeof Os;
  "node:path": typeof Path;
  "node:tls": typeof Tls;
  "node:v8": typeof V8;
  "node:worker_threads": typeof Threads;
}

/**
 * Loads a built-in module on first use. `import` would evaluate all its exports: `node:http` exports fetch and
 * WebSocket, which costs a program that uses neither 60 ms and 12 MB.
 */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  load ??= process.getBuiltinModule ?? fromModule();
  return load(name) as Builtins[Name];
}

let load: ((name: string) => unknown) | undefined;

/**
 * For Node before 20.16 and 22.3. Bundlers replace a call of the import `createRequire` by their own `require`, which
 * may be undefined at run time, so the name is hidden from them.
 */
function fromModule(): (name: string) => unknown {
  const name = ["create", "Require"].join("") as "createRequire";
  // ncc puts the exports of a module that is a function only into `default`.
  return (nodeModule[name] ?? nodeModule.default[name])(process.execPath);
}
