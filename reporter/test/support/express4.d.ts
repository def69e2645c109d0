/** Express 4, installed beside 5 under another name, has the same types for what the tests use. */
declare module "express4" {
  export { default } from "express";
}
