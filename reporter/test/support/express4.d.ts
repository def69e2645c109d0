/** Express 4 is installed under this alias. For what the tests use, its types equal those of Express 5. */
declare module "express4" {
  export { default } from "express";
}
