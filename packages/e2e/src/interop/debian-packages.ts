import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { DebianPackage } from "./outcome.js";

/** Debian's own: another Python that comes first in the path has not its packages. */
export const python = "/usr/bin/python3";

/** Not in everyone's path. */
export const mariadbd = "/usr/sbin/mariadbd";

/** The packages that peers take, each seen by what it brings. */
export const debianPackages = {
  zeep: { name: "python3-zeep", present: () => succeeds(python, ["-c", "import zeep"]) },
  php: { name: "php-cli", present: () => succeeds("php", ["-v"]) },
  phpSoap: { name: "php-soap", present: () => phpClass("SoapClient") },
  phpMysql: { name: "php-mysql", present: () => phpClass("mysqli") },
  mariadb: { name: "mariadb-server", present: () => succeeds(mariadbd, ["--version"]) },
  wordpress: { name: "wordpress", present: () => existsSync("/usr/share/wordpress/wp-settings.php") },
} as const satisfies Readonly<Record<string, DebianPackage>>;

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

function phpClass(name: string): boolean {
  return succeeds("php", ["-r", `exit(class_exists('${name}') ? 0 : 1);`]);
}
