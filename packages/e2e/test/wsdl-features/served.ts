import type { ClientAnswer, ClientRequest } from "@bothends/runtime/client";
import type { Routes } from "@bothends/runtime/server";
import { listen } from "@bothends/runtime/server/node";

/** Serves routes, and records the messages. */
export async function served(routes: Routes) {
  const server = await listen([routes], { port: 0, host: "127.0.0.1" });
  const wire = { request: "", answer: "", status: 0 };
  return {
    url: server.url,
    close: () => server.close(),
    wire,
    /** Options of a client that calls the server and records the last exchange in `wire`. */
    options: {
      baseUrl: server.url,
      hooks: {
        before: ({ body }: ClientRequest) => {
          wire.request = typeof body === "string" ? body : new TextDecoder("latin1").decode(body);
        },
        after: ({ body, status }: ClientAnswer) => {
          wire.answer = new TextDecoder().decode(body);
          wire.status = status;
        },
      },
    },
  };
}
