import { init } from "@signalbox/reporter";

init({ framework: false });
throw new TypeError("crash, with the package for Node");
