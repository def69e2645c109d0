import { init } from "@signalbox/reporter";

init();
