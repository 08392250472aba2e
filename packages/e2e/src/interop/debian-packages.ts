import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { DebianPackage } from "./outcomes.js";

/** The path of Debian's Python. A different Python in the `PATH` would not find Debian's packages. */
export const python = "/usr/bin/python3";

/** The path of MariaDB's server. Its folder may be missing in the `PATH`. */
export const mariadbd = "/usr/sbin/mariadbd";

/** The Debian packages that third-party programs need, each with a check whether it is installed. */
export const debianPackages = {
  zeep: { name: "python3-zeep", isInstalled: () => isSuccessful(python, ["-c", "import zeep"]) },
  suds: { name: "python3-suds", isInstalled: () => isSuccessful(python, ["-c", "import suds"]) },
  spyne: { name: "python3-spyne", isInstalled: () => isSuccessful(python, ["-c", "import spyne, lxml"]) },
  soapLite: { name: "libsoap-lite-perl", isInstalled: () => isSuccessful("perl", ["-MSOAP::Lite", "-e", "1"]) },
  php: { name: "php-cli", isInstalled: () => isSuccessful("php", ["-v"]) },
  phpSoap: { name: "php-soap", isInstalled: () => hasPhpClass("SoapClient") },
  phpMysql: { name: "php-mysql", isInstalled: () => hasPhpClass("mysqli") },
  mariadb: { name: "mariadb-server", isInstalled: () => isSuccessful(mariadbd, ["--version"]) },
  wordpress: { name: "wordpress", isInstalled: () => existsSync("/usr/share/wordpress/wp-settings.php") },
  monoCompiler: { name: "mono-mcs", isInstalled: () => isSuccessful("mcs", ["--version"]) },
  monoWeb: { name: "libmono-system-web4.0-cil", isInstalled: () => hasMonoLibrary("System.Web") },
  monoWebServices: {
    name: "libmono-system-web-services4.0-cil",
    isInstalled: () => hasMonoLibrary("System.Web.Services"),
  },
  gsoap: { name: "gsoap", isInstalled: () => isSuccessful("soapcpp2", ["-V"]) },
  gsoapLibrary: { name: "libgsoap-dev", isInstalled: () => existsSync("/usr/include/stdsoap2.h") },
  cxx: { name: "g++", isInstalled: () => isSuccessful("g++", ["--version"]) },
  jaxWs: { name: "jaxws", isInstalled: () => existsSync("/usr/share/jaxws/lib/jaxws-rt.jar") },
  axis: { name: "libaxis-java", isInstalled: () => existsSync("/usr/share/java/axis.jar") },
  jdk: { name: "default-jdk-headless", isInstalled: () => isSuccessful("javac", ["-version"]) },
} as const satisfies Readonly<Record<string, DebianPackage>>;

function isSuccessful(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

function hasPhpClass(name: string): boolean {
  return isSuccessful("php", ["-r", `exit(class_exists('${name}') ? 0 : 1);`]);
}

function hasMonoLibrary(name: string): boolean {
  return existsSync(`/usr/lib/mono/4.5/${name}.dll`);
}
