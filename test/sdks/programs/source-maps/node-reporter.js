import { init } from "@signalbox/reporter";
import { start } from "./shop.js";

init(JSON.parse(process.env.SETTINGS));
start();
