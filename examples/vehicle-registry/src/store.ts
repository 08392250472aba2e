import { openDatabase } from "./database.js";

/** The database of this process. */
export const { database, check, checkSpace, endIfLost, close } = await openDatabase();
