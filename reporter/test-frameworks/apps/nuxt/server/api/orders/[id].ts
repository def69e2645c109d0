export default defineEventHandler(() => {
  throw new TypeError("API route");
});
