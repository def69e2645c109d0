const { init } = require("@signalbox/reporter");

init();
throw new TypeError("crash of CommonJS");
