import { listen } from "@bothends/runtime/server/node";
import { healthRoutes, lineLogger } from "@bothends/runtime/soap-server";
import { routes } from "./routes.js";
import { insertSamples } from "./samples.js";
import { check, close, database } from "./store.js";

await check();
await insertSamples(database);
// With LOG_FORMAT=json or LOG_FORMAT=text, every call is logged. Errors are always logged.
const format = process.env["LOG_FORMAT"];
const server = await listen([healthRoutes({ checks: { database: check } }), ...routes], {
  port: Number(process.env["PORT"] || 8080),
  host: process.env["HOST"] || "127.0.0.1",
  ...(format === "json" || format === "text" ? lineLogger({ format }) : {}),
});
console.log(`Listening at ${server.url}`);

// The server finishes the calls that have begun, and then closes the database.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await server.close();
    await close();
  });
}
