/** Type tests: the compiler refuses misspelled operations in the option `safeOperations`, and misspelled services. */
import { ContentClient, type ContentClientOptions, CoreV2Client } from "@bothends/client/content";
import { BespokeapiClient, RegClient, VehicleClient } from "@bothends/client/vehicle";

// The clients of an interface share their options, so each accepts the operations of all its services or groups.
const safeOperations = ["CheckUSA", "CheckIrishTaxi"] as const;
new VehicleClient({ safeOperations });
new RegClient({ safeOperations });
new BespokeapiClient({ safeOperations, username: "demo" });
// @ts-expect-error the operation is CheckUSA
new RegClient({ safeOperations: ["CheckUsa"] });
// @ts-expect-error no service has the operation
new VehicleClient({ safeOperations: ["CheckUSA", "CheckMars"] });

const options: ContentClientOptions = { siteUrl: "http://site.example", safeOperations: ["core.blocks.create"] };
new ContentClient(options);
new CoreV2Client(options);
// @ts-expect-error the first word is core
new ContentClient({ siteUrl: "http://site.example", safeOperations: ["cor.blocks.create"] });
// @ts-expect-error the method is GET, to which `retries` always applies
new ContentClient({ siteUrl: "http://site.example", safeOperations: ["core.blocks.list"] });

new VehicleClient({ address: "http://own.example/", port: "RegSoap" });
new VehicleClient({ address: { Reg: "http://own.example/" }, port: { BespokeApi: "BespokeApiSoap" } });
// @ts-expect-error the service is Reg
new RegClient({ address: { reg: "http://own.example/" } });
// @ts-expect-error no service has this name
new VehicleClient({ port: { Registry: "RegSoap" } });
