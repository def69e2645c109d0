import { captureError, init } from "@signalbox/reporter";

if (typeof document === "undefined") {
  init(SETTINGS);
  captureError(new TypeError("captureError"));
  void Promise.reject(new TypeError("rejection"));
  setTimeout(() => {
    throw new TypeError("uncaught");
  });
} else {
  new Worker("/main.js", { type: "module" });
}
