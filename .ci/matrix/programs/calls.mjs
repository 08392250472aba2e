// Calls both interfaces in every protocol, in memory. Runs on every platform.
import { EncodeError, isRestError, RestError, SoapFault } from "@bothends/runtime";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { webHandler } from "@bothends/runtime/server/web";
import { SiteClient } from "../generated/dist/client/site/index.js";
import { RegClient } from "../generated/dist/client/vehicle/index.js";
import { siteRoutes } from "../generated/dist/server/site/index.js";
import { regRoutes } from "../generated/dist/server/vehicle/index.js";

const echo = (input, { method }) => ({ method, input });

export const routes = [
  regRoutes({
    checkUSA({ RegistrationNumber, State }) {
      if (State === "") {
        throw new SoapFault({ code: "Client", reason: "The state is missing." });
      }
      return { vehicleData: { Description: `${RegistrationNumber} ü` } };
    },
  }),
  siteRoutes({
    core: {
      blocks: {
        list: () => [],
        create: echo,
        update: echo,
        delete: echo,
        get() {
          throw new RestError({ code: "rest_post_invalid_id", message: "Invalid post ID.", status: 404 });
        },
      },
    },
  }),
];

/** Answers requests: called directly for tests in memory, and by workerd and other platforms with `fetch`. */
export const handle = webHandler(routes);

function expect(actual, expected) {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`Expected ${JSON.stringify(expected)}, but got ${JSON.stringify(actual)}.`);
  }
}

const errorOf = (promise) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

/** Calls a server at an address, by default with the platform's own transport. Returns the number of calls. */
export async function callAll(address, options = {}) {
  const reg = new RegClient({ baseUrl: address, ...options });
  const input = { RegistrationNumber: "ABC123", State: "NY", username: "u" };
  for (const protocol of ["soap11", "soap12", "httpGet", "httpPost"]) {
    const found = await reg.checkUSA(input, { protocol });
    expect(found?.vehicleData?.Description, "ABC123 ü");
  }
  const fault = await errorOf(reg.checkUSA({ ...input, State: "" }));
  expect([fault instanceof SoapFault, fault?.reason], [true, "The state is missing."]);
  expect((await errorOf(reg.checkUSA({ ...input, State: "\u0000" }))) instanceof EncodeError, true);
  const site = new SiteClient({ siteUrl: address, ...options });
  const updated = await site.core.blocks.update({ id: 7, status: "draft" }, { method: "PATCH" });
  expect([updated.method, updated.input.id], ["PATCH", 7]);
  expect(isRestError(await errorOf(site.core.blocks.get({ id: 999 })), "rest_post_invalid_id"), true);
  return 8;
}

export async function callInMemory() {
  // The server loads the document with this request.
  const document = await handle(new Request("http://in-memory.example/api/reg.asmx?wsdl"));
  expect((await document.text()).includes("wsdl:definitions"), true);
  return callAll("http://in-memory.example", { transport: fetchTransport(handle) });
}
