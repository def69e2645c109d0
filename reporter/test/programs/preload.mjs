import { init } from "@signalbox/reporter";

init();
console.log("preloaded");
