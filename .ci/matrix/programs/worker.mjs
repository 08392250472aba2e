// A worker for workerd: serves the routes, and calls them in memory if /check is requested.
import { callInMemory, handle } from "./calls.mjs";
import { traceCalls } from "./traced.mjs";

export default {
  async fetch(request) {
    return new URL(request.url).pathname === "/check"
      ? new Response(`${await callInMemory()} calls, ${await traceCalls()} spans`)
      : handle(request);
  },
};
