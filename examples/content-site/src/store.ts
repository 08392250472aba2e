import { openDatabase } from "./database.js";

/** The database that this process uses, and the functions that check and close it. */
export const { database, check, checkSpace, endIfLost, close } = await openDatabase();
