import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { DebianPackage } from "./outcomes.js";

/** Debian's Python. Another Python in the path would lack Debian's packages. */
export const python = "/usr/bin/python3";

/** This folder is not in every user's path. */
export const mariadbd = "/usr/sbin/mariadbd";

/** The packages that peers need, each with a file that exists if it is installed. */
export const debianPackages = {
  zeep: { name: "python3-zeep", present: () => succeeds(python, ["-c", "import zeep"]) },
  suds: { name: "python3-suds", present: () => succeeds(python, ["-c", "import suds"]) },
  spyne: { name: "python3-spyne", present: () => succeeds(python, ["-c", "import spyne, lxml"]) },
  soapLite: { name: "libsoap-lite-perl", present: () => succeeds("perl", ["-MSOAP::Lite", "-e", "1"]) },
  php: { name: "php-cli", present: () => succeeds("php", ["-v"]) },
  phpSoap: { name: "php-soap", present: () => phpClass("SoapClient") },
  phpMysql: { name: "php-mysql", present: () => phpClass("mysqli") },
  mariadb: { name: "mariadb-server", present: () => succeeds(mariadbd, ["--version"]) },
  wordpress: { name: "wordpress", present: () => existsSync("/usr/share/wordpress/wp-settings.php") },
  monoCompiler: { name: "mono-mcs", present: () => succeeds("mcs", ["--version"]) },
  monoWeb: { name: "libmono-system-web4.0-cil", present: () => monoLibrary("System.Web") },
  monoWebServices: { name: "libmono-system-web-services4.0-cil", present: () => monoLibrary("System.Web.Services") },
  gsoap: { name: "gsoap", present: () => succeeds("soapcpp2", ["-V"]) },
  gsoapLibrary: { name: "libgsoap-dev", present: () => existsSync("/usr/include/stdsoap2.h") },
  cxx: { name: "g++", present: () => succeeds("g++", ["--version"]) },
  jaxWs: { name: "jaxws", present: () => existsSync("/usr/share/jaxws/lib/jaxws-rt.jar") },
  axis: { name: "libaxis-java", present: () => existsSync("/usr/share/java/axis.jar") },
  jdk: { name: "default-jdk-headless", present: () => succeeds("javac", ["-version"]) },
} as const satisfies Readonly<Record<string, DebianPackage>>;

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

function phpClass(name: string): boolean {
  return succeeds("php", ["-r", `exit(class_exists('${name}') ? 0 : 1);`]);
}

function monoLibrary(name: string): boolean {
  return existsSync(`/usr/lib/mono/4.5/${name}.dll`);
}
