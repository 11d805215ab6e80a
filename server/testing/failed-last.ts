import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * Says as the very last lines of a run what failed in it: the tables that a whole run prints at its end are long, and
 * logs are often read from their end, or kept from there only.
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
    // The closing of the global set-up prints after this call: only the end of the process is later.
    if (lines.length > 0) process.once('exit', () => process.stderr.write(`\nFailed:\n${lines.join('\n')}\n`))
  }
}
