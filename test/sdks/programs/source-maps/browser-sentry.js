import * as Sentry from "@sentry/browser";
import { start } from "./shop.js";

Sentry.init(window.settings);
start();
