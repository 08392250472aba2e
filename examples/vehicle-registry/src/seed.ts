import { insertSamples, insertSeed } from "./samples.js";
import { close, database } from "./store.js";

const count = Number(process.argv[2] ?? 1_000_000);
if (!Number.isInteger(count) || count < 0) {
  throw new Error(`The number of vehicles must be a whole number, not "${process.argv[2]}".`);
}
await insertSamples(database);
await insertSeed(database, count, (done) => console.log(`${done.toLocaleString("en")} vehicles`));
await close();
