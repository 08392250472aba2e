// Calls in memory, and over a socket with the platform's own transport.
import { listen } from "@bothends/runtime/server/node";
import { callAll, callInMemory, routes } from "./calls.mjs";
import { traceCalls } from "./traced.mjs";

const inMemory = await callInMemory();
const server = await listen(routes, { port: 0, host: "127.0.0.1" });
const overSocket = await callAll(server.url);
await server.close();
console.log(`${inMemory + overSocket} calls, ${await traceCalls()} spans`);
process.exit(0);
