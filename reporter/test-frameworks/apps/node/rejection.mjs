import { init } from "@signalbox/reporter";

init();
setTimeout(() => Promise.reject(new TypeError("rejection")), 10);
