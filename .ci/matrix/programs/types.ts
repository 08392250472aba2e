// A user's program, which must compile with several versions of TypeScript.
import { openTelemetry } from "@bothends/otel";
import { DecodeError, isRestError, SoapFault } from "@bothends/runtime";
import { paginate, type Transport } from "@bothends/runtime/client";
import { ntlmTransport } from "@bothends/runtime/client/ntlm";
import { listen } from "@bothends/runtime/server/node";
import { webHandler } from "@bothends/runtime/server/web";
import { SiteClient } from "../generated/dist/client/site/index.js";
import { RegClient, type Vehicle } from "../generated/dist/client/vehicle/index.js";
import { type RegHandlers, regRoutes } from "../generated/dist/server/vehicle/index.js";

const transport: Transport = ntlmTransport({ username: "u", password: "p" });
const reg = new RegClient({ baseUrl: "http://127.0.0.1", transport });
export const found: Promise<Vehicle | null> = reg.checkUSA({ RegistrationNumber: "A", State: "NY", username: "u" });
export const site = new SiteClient({ siteUrl: "http://127.0.0.1" });
export const pages = paginate(site.core.blocks.list, { per_page: 50 });
export const serve = (handlers: RegHandlers) => listen([regRoutes(handlers)], { port: 0, observe: openTelemetry() });
export const handle = (handlers: RegHandlers) => webHandler([regRoutes(handlers)]);
export const isKnownError = (error: unknown) =>
  error instanceof SoapFault || error instanceof DecodeError || isRestError(error, "rest_forbidden");
