import type { Reporter, TestCase } from 'vitest/node';

/** Names the tests that passed only at their second attempt, at the end of a run: each is a defect to find. */
export default class FlakyReporter implements Reporter {
  readonly #flaky: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#flaky.push(`${test.module.relativeModuleId}: ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#flaky) console.warn(`flaky: ${name}`);
  }
}
