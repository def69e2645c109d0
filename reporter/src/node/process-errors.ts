/**
 * Reports errors nothing caught, and leaves to Node what becomes of the process.
 *
 * `uncaughtExceptionMonitor` sees an uncaught exception, and a rejection that Node turns into one, without handling
 * it. A rejection that the program's own `unhandledRejection` listener takes is not shown to the monitor, so a listener
 * of ours stands beside theirs, never alone: alone it would be what keeps the process from ending.
 *
 * @returns how to stop
 */
export function watchProcess(capture: (error: unknown) => void): () => void {
  const name = "unhandledRejection";
  const ours = (error: unknown) => capture(error);
  const others = () => process.listeners(name).filter((one) => one !== ours).length;

  const added = (event: string | symbol, listener: unknown) => {
    if (event === name && listener !== ours && !process.listeners(name).includes(ours))
      process.on(name, ours);
  };
  const removed = (event: string | symbol) => {
    if (event === name && others() === 0) process.off(name, ours);
  };

  process.on("uncaughtExceptionMonitor", ours);
  process.on("newListener", added);
  process.on("removeListener", removed);
  if (others() > 0) process.on(name, ours);

  return () => {
    process.off("uncaughtExceptionMonitor", ours);
    process.off("newListener", added);
    process.off("removeListener", removed);
    process.off(name, ours);
  };
}
