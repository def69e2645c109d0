const { captureError, init } = require("@signalbox/reporter");

init();
captureError(new TypeError("captureError before process.exit"));
process.exit();
