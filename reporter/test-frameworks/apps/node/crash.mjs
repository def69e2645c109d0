import { init } from "@signalbox/reporter";

init();
throw new TypeError("crash of an ES module");
