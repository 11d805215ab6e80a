import type { Result } from './types.ts'

// Control characters are invalid in XML 1.0, even escaped.
const escape = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** JUnit XML: one suite per profile, one test per operation; without a verdict, one test with the reason. */
export function junitXml(results: readonly Result[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${results.map(suite).join('')}</testsuites>\n`
}

function suite(result: Result): string {
  const { profile, status, reason, durationMs, perOperation, failures } = result
  const tests =
    reason === undefined
      ? Object.keys(perOperation)
          .toSorted()
          .map((operation) =>
            test(
              profile,
              operation,
              failures
                .filter((failure) => failure.operation === operation)
                .map(
                  ({ check, title, message, curl }) =>
                    `<failure type="${escape(check)}" message="${escape(title)}">${escape(`${message}\n${curl}`)}</failure>`,
                ),
            ),
          )
      : [
          test(profile, 'run', [
            status === 'unavailable'
              ? `<skipped message="${escape(reason)}"/>`
              : `<error type="${status}" message="${escape(reason)}"/>`,
          ]),
        ]
  const count = (tag: string) => tests.filter((text) => text.includes(`<${tag} `)).length
  return `  <testsuite name="schemathesis ${escape(profile)}" tests="${tests.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${durationMs / 1000}">\n${tests.join('')}  </testsuite>\n`
}

const test = (profile: string, name: string, content: readonly string[]): string =>
  `    <testcase classname="schemathesis.${escape(profile)}" name="${escape(name)}">${content.join('')}</testcase>\n`
