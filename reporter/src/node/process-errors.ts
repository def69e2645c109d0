import type { CaptureDetails } from "../core/options.ts";
import { filled, property } from "../core/safe.ts";

/**
 * Reports uncaught errors without changing what happens to the process.
 *
 * `uncaughtExceptionMonitor` observes uncaught exceptions, including rejections that Node turns into exceptions,
 * without handling them. It does not fire for rejections that the program's own `unhandledRejection` listener handles,
 * so this adds a listener next to it. It must not be the only listener, because it would keep the process from ending, except in
 * the modes of `--unhandled-rejections` where a rejection neither ends the process nor becomes an exception.
 *
 * @returns a function that removes the listeners
 */
export function watchProcess(capture: (error: unknown, details?: CaptureDetails) => void): () => void {
  const name = "unhandledRejection";
  const mode = rejectionMode();
  const report = (error: unknown) => {
    capture(error);
    if (mode === "warn-with-error-code" && others() === 0) warn(error);
  };
  const isAlone = () => mode === undefined && others() === 0;
  const others = () => process.listeners(name).filter((listener) => listener !== report).length;

  const added = (event: string | symbol, listener: unknown) => {
    if (event === name && listener !== report && !process.listeners(name).includes(report))
      process.on(name, report);
  };
  const removed = (event: string | symbol) => {
    if (event === name && isAlone()) process.off(name, report);
  };

  /** Without a listener of the program, this exception ends the process. */
  const monitor = (error: unknown) =>
    capture(error, process.listenerCount("uncaughtException") > 0 ? {} : { level: "fatal" });

  process.on("uncaughtExceptionMonitor", monitor);
  process.on("newListener", added);
  process.on("removeListener", removed);
  if (!isAlone()) process.on(name, report);

  return () => {
    process.off("uncaughtExceptionMonitor", monitor);
    process.off("newListener", added);
    process.off("removeListener", removed);
    process.off(name, report);
  };
}

/** The value of `--unhandled-rejections`, if a rejection does not become an exception in that mode. */
function rejectionMode(): string | undefined {
  const flags = [process.env["NODE_OPTIONS"], ...process.execArgv].join(" ");
  const mode = [...flags.matchAll(/--unhandled-rejections[= ]([\w-]+)/g)].at(-1)?.[1];
  return mode === "none" || mode?.startsWith("warn") ? mode : undefined;
}

/** Does what Node does in the mode `warn-with-error-code` without a listener. */
function warn(reason: unknown): void {
  process.emitWarning(
    filled(property(reason, "stack")) ?? String(reason),
    "UnhandledPromiseRejectionWarning",
  );
  process.exitCode = 1;
}
