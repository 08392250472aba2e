// Prints the failures of test runs and the last line, `N passed, N failed`. Usage: report.mjs <failed steps> <results.json…>
import { existsSync, readFileSync } from "node:fs";

const [failedSteps, ...files] = process.argv.slice(2);
let passed = 0;
let failed = Number(failedSteps);
for (const file of files) {
  if (!existsSync(file)) {
    console.log(`\n${file} is missing: the tests did not run to the end.`);
    failed += 1;
    continue;
  }
  const results = JSON.parse(readFileSync(file, "utf8"));
  passed += results.numPassedTests;
  failed += results.numFailedTests;
  for (const { name, status, message, assertionResults } of results.testResults) {
    const wrong = assertionResults.filter((test) => test.status === "failed");
    if (wrong.length === 0 && status === "failed") {
      console.log(`\n${name}\n${message}`);
    }
    for (const { fullName, failureMessages } of wrong) {
      console.log(`\n${name}: ${fullName}\n${failureMessages.join("\n").slice(0, 4000)}`);
    }
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
