const { isMainThread, Worker } = require("node:worker_threads");
const { init } = require("@signalbox/reporter");

if (isMainThread) new Worker(__filename).on("error", () => {});
else {
  init();
  setTimeout(() => {
    throw new TypeError("worker thread");
  });
}
