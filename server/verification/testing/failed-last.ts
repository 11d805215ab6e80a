import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * Prints the failed tests as the very last lines of a run: the tables that a whole run prints at its end are long, and
 * logs are often read, or kept, from their end only.
 */
export default class FailedLast implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures = modules.flatMap((module) => [
      ...module.errors().map((error) => ({ name: module.relativeModuleId, error })),
      ...[...module.children.allTests('failed')].map((test) => ({
        name: `${module.relativeModuleId} > ${test.fullName}`,
        error: test.result().errors?.[0],
      })),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => ({ name: `${module.relativeModuleId} > ${suite.fullName}`, error })),
      ),
    ])
    const lines = [...failures, ...unhandled.map((error) => ({ name: 'outside of any test', error }))].map(
      ({ name, error }) => `  ${name}\n    ${(error?.message ?? 'no message').split('\n', 12).join('\n    ')}`,
    )
    // The teardown of the global set-up prints after this call: only the exit of the process is later.
    if (lines.length > 0) process.once('exit', () => process.stderr.write(`\nFailed:\n${lines.join('\n')}\n`))
  }
}
