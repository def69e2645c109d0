const { isMainThread, Worker } = require("node:worker_threads");

if (isMainThread) {
  new Worker(__filename).on("exit", (code) => process.exit(code));
} else {
  require("./commonjs.cjs");
}
