import type { IncomingMessage, ServerResponse } from "node:http";
import { routedRequest } from "../../http/routed-request.js";
import type { ServerAnswer } from "../../http/server-messages.js";
import { report } from "../../observe/incidents.js";
import { createRouter, type RouterOptions } from "../router.js";
import type { Routes } from "../routes.js";
import { writeNodeAnswer } from "./node-answer.js";
import { nodeChannels } from "./node-channels.js";
import { NodeRequest } from "./node-request.js";

/** A request and its answer in a third-party server. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Finds the answer to a request, and returns a function that writes it; undefined if the request is not for the routes.
 * Rejects if the body has already been read. */
type FrameworkRoutes = (exchange: Exchange) => Promise<(() => Promise<void>) | undefined>;

const notForRoutes: ServerAnswer = { status: 404, headers: [], body: undefined };

/** Serves routes inside a third-party server, which answers all other requests. */
export function frameworkRoutes(routes: readonly Routes[], options: RouterOptions): FrameworkRoutes {
  const rest: Routes = {
    name: "the framework",
    async answer(request) {
      // The framework answers: this is no call of ours to report.
      routedRequest(request).record = undefined;
      return notForRoutes;
    },
  };
  const router = createRouter([...routes, rest], options, nodeChannels);
  return async ({ incoming, outgoing }) => {
    if (incoming.readableDidRead) {
      throw new Error("The body of the request has already been read: add the routes before any body parser.");
    }
    const request = new NodeRequest(incoming, outgoing, false);
    const answer = await router(request);
    if (answer === notForRoutes) {
      return undefined;
    }
    return async () => {
      try {
        await writeNodeAnswer(answer, { request, incoming, outgoing });
      } catch (error) {
        report(options.onError, { kind: "internal", message: "The answer cannot be written.", error });
        outgoing.destroy();
      }
    };
  };
}
