import { init } from "@signalbox/reporter/browser";
import { start } from "./shop.js";

init(window.settings);
start();
