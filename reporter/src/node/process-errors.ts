/**
 * Reports uncaught errors without changing what happens to the process.
 *
 * `uncaughtExceptionMonitor` observes uncaught exceptions, including rejections that Node turns into exceptions,
 * without handling them. It does not fire for rejections that the program's own `unhandledRejection` listener handles,
 * so this adds a listener next to it. It must never be the only one: it would then keep the process from ending.
 *
 * @returns a function that removes the listeners
 */
export function watchProcess(capture: (error: unknown) => void): () => void {
  const name = "unhandledRejection";
  const report = (error: unknown) => capture(error);
  const others = () => process.listeners(name).filter((listener) => listener !== report).length;

  const added = (event: string | symbol, listener: unknown) => {
    if (event === name && listener !== report && !process.listeners(name).includes(report))
      process.on(name, report);
  };
  const removed = (event: string | symbol) => {
    if (event === name && others() === 0) process.off(name, report);
  };

  process.on("uncaughtExceptionMonitor", report);
  process.on("newListener", added);
  process.on("removeListener", removed);
  if (others() > 0) process.on(name, report);

  return () => {
    process.off("uncaughtExceptionMonitor", report);
    process.off("newListener", added);
    process.off("removeListener", removed);
    process.off(name, report);
  };
}
