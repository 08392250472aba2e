import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerAnswer } from "../../../http/server-messages.js";
import { report } from "../../../observe/incidents.js";
import { UsedBody } from "../../body.js";
import { createFrameworkRouter, type RouterOptions } from "../../router.js";
import type { Routes } from "../../routes.js";
import { encodedAnswer, writeNodeAnswer } from "./node-answer.js";
import { NodeRequest, nodeHost } from "./node-request.js";

/** A request and its answer as Node's objects, from a third-party framework. */
interface FrameworkExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The answer to a request in a third-party framework. Call either `write` or `encoded`. */
interface FrameworkAnswer {
  /** Whether the request's body has been read completely. */
  readonly isRead: boolean;
  /** Writes the answer with Node, not with the framework. */
  write(): Promise<void>;
  /** Returns the answer for the framework to write, compressed if the client accepts that. */
  encoded(): Promise<ServerAnswer>;
}

/** Finds the answer to a request; undefined if no route matches. Rejects if the body has already been read. */
type FrameworkRoutes = (exchange: FrameworkExchange) => Promise<FrameworkAnswer | undefined>;

/** Serves routes inside a third-party server, which answers all other requests. */
export function frameworkRoutes(routes: readonly Routes[], options: RouterOptions): FrameworkRoutes {
  const router = createFrameworkRouter(routes, options, nodeHost);
  return async ({ incoming, outgoing }) => {
    const request = new NodeRequest(incoming, outgoing, { expectsContinue: false, reportsWritten: false });
    outgoing.once("close", () => request.disconnect());
    if (incoming.readableDidRead) {
      request.usedBody = new UsedBody("add the routes before any body parser.");
    }
    const answer = await router(request);
    request.usedBody?.check();
    if (answer === undefined) {
      return undefined;
    }
    const exchange = { request, incoming, outgoing };
    return {
      isRead: request.isRead,
      async write() {
        try {
          await writeNodeAnswer(answer, exchange);
        } catch (error) {
          report(options.onError, { kind: "internal", message: "The answer cannot be written.", error });
          outgoing.destroy();
        }
      },
      encoded: () => encodedAnswer(answer, exchange),
    };
  };
}
