import { listen } from "@bothends/runtime/server/node";
import { routes } from "./routes.js";
import { insertSamples } from "./samples.js";
import { check, close, database } from "./site.js";

await check();
await insertSamples(database);
const server = await listen(routes, {
  port: Number(process.env["PORT"] ?? 8080),
  host: process.env["HOST"] ?? "127.0.0.1",
});
console.log(`Listening at ${server.url}`);

// Answers the calls that have begun, then closes the database.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await server.close();
    await close();
  });
}
