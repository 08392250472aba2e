import { insertSamples } from "./samples.js";
import { close, database } from "./store.js";
import { createApplicationPassword } from "./users.js";

const [login = "admin", name = "Command line"] = process.argv.slice(2);
await insertSamples(database);
console.log(await createApplicationPassword(login, name));
await close();
