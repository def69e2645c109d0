import { captureError, init } from "@signalbox/reporter";
import { expressErrors } from "@signalbox/reporter/express";
import express from "express";

init();
const app = express();
app.get("/orders/:id", () => {
  throw new TypeError("handler");
});
app.get("/exports/:id", (_request, response, next) => {
  response.write("first part");
  setImmediate(() => next(new TypeError("after the headers")));
});
app.get("/caught/:id", (_request, response) => {
  captureError(new TypeError("captureError"));
  response.end();
});
app.use(expressErrors());
app.listen(Number(process.env.PORT), "127.0.0.1");
