import * as Sentry from "@sentry/node";
import { start } from "./shop.js";

Sentry.init(JSON.parse(process.env.SETTINGS));
start();
