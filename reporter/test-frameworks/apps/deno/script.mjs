import { captureError, flush, init } from "@signalbox/reporter";

init({ framework: false });
captureError(new TypeError("script, with the package for Node"));
await flush();
