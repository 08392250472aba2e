import { randomBytes, scrypt as scryptWithCallback, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { RestError } from "@bothends/server/content";
import { eq } from "drizzle-orm";
import { defaultUser } from "./site.js";
import { database } from "./store.js";
import { applicationPasswords, users } from "./tables.js";

const scrypt = promisify(scryptWithCallback) as (password: string, salt: string, length: number) => Promise<Buffer>;
const hashLength = 32;

/** Creates an application password and returns it. Only its hash is stored. */
export async function createApplicationPassword(login: string, name: string): Promise<string> {
  const [user] = await database.select().from(users).where(eq(users.login, login));
  if (user === undefined) {
    throw new Error(`There is no user "${login}".`);
  }
  const password = randomBytes(18).toString("base64url");
  const salt = randomBytes(16).toString("hex");
  const hash = (await scrypt(password, salt, hashLength)).toString("hex");
  await database.insert(applicationPasswords).values({ userId: user.id, name, salt, hash });
  return password;
}

/**
 * Returns the id of a request's user: the user of its application password or, without a password, the default user. As in
 * WordPress, a wrong password is an error.
 */
export async function requireUser(headers: ReadonlyMap<string, string>): Promise<number> {
  const header = headers.get("authorization");
  if (header === undefined) {
    return defaultUser;
  }
  const [, encodedCredentials = ""] = /^Basic\s+(\S+)$/i.exec(header) ?? [];
  const [, login = "", password = ""] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encodedCredentials, "base64").toString("utf8")) ?? [];
  const candidates = await database
    .select({
      id: applicationPasswords.id,
      userId: users.id,
      salt: applicationPasswords.salt,
      hash: applicationPasswords.hash,
    })
    .from(applicationPasswords)
    .innerJoin(users, eq(users.id, applicationPasswords.userId))
    .where(eq(users.login, login));
  // WordPress displays its passwords with spaces, which are not part of them.
  const compactPassword = password.replaceAll(" ", "");
  for (const { id, userId, salt, hash } of candidates) {
    if (timingSafeEqual(await scrypt(compactPassword, salt, hashLength), Buffer.from(hash, "hex"))) {
      await database.update(applicationPasswords).set({ lastUsed: new Date() }).where(eq(applicationPasswords.id, id));
      return userId;
    }
  }
  throw new RestError({
    code: "incorrect_password",
    message: "The provided password is an invalid application password.",
    status: 401,
  });
}
