import { Agent, request } from "node:http";
import { RegClient } from "@bothends/client/vehicle";
import { fetchTransport } from "@bothends/runtime/client";
import { question, soapHeaders, soapPath, soapRequest } from "../payload.js";
import type { Hosted } from "./protocol.js";

type Host = (origin: string) => Promise<Hosted>;

/** The clients to measure, by name. Each calls the server at the given origin. */
export const clientHosts: Readonly<Record<string, Host>> = {
  "node-http": async (origin) => {
    const agent = new Agent({ keepAlive: true });
    return { call: () => makeBareCall(`${origin}${soapPath}`, agent) };
  },
  fetch: async (origin) => ({
    call: async () => {
      const answer = await fetch(`${origin}${soapPath}`, { method: "POST", headers: soapHeaders, body: soapRequest });
      return answer.text();
    },
  }),
  "fetch-with-signal": async (origin) => ({
    call: async () => {
      const { signal } = new AbortController();
      const init = { method: "POST", headers: soapHeaders, body: soapRequest, signal };
      const answer = await fetch(`${origin}${soapPath}`, init);
      return answer.text();
    },
  }),
  "client-node-http": async (origin) => {
    const client = new RegClient({ baseUrl: origin, protocol: "soap11" });
    return { call: () => client.checkUSA(question) };
  },
  "client-fetch": async (origin) => {
    const client = new RegClient({ baseUrl: origin, protocol: "soap11", transport: fetchTransport(fetch) });
    return { call: () => client.checkUSA(question) };
  },
};

function makeBareCall(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, { agent, method: "POST", headers: soapHeaders }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve(text));
    });
    clientRequest.on("error", reject);
    clientRequest.end(soapRequest);
  });
}
