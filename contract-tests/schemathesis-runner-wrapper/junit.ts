import type { Result } from './types.ts'

// Control characters are invalid in XML 1.0, even escaped.
const escape = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/**
 * JUnit XML: one suite per profile, one test per operation with one failure for all its findings, because readers show
 * only the first; without a verdict, one test with the reason.
 */
export function junitXml(results: readonly Result[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${results.map(suite).join('')}</testsuites>\n`
}

function suite(result: Result): string {
  const { profile, status, reason, durationMs, perOperation, failures } = result
  // A finding about no operation of the run has a test of its own.
  const names = new Set([...Object.keys(perOperation).toSorted(), ...failures.map(({ operation }) => operation)])
  const tests =
    reason === undefined
      ? [...names].map((name) =>
          test(profile, name, failureXml(failures.filter(({ operation }) => operation === name))),
        )
      : [
          test(
            profile,
            'run',
            status === 'unavailable'
              ? `<skipped message="${escape(reason)}"/>`
              : `<error type="${status}" message="${escape(reason)}">${escape(textsOf(failures))}</error>`,
          ),
        ]
  const count = (tag: string) => tests.filter((text) => text.includes(`<${tag} `)).length
  return `  <testsuite name="schemathesis ${escape(profile)}" tests="${tests.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${durationMs / 1000}">\n${tests.join('')}  </testsuite>\n`
}

function failureXml(failures: Result['failures']): string {
  const [first] = failures
  if (!first) return ''
  const others = failures.length > 1 ? ` (and ${failures.length - 1} more)` : ''
  return `<failure type="${escape(first.check)}" message="${escape(`${first.title}${others}`)}">${escape(textsOf(failures))}</failure>`
}

const textsOf = (failures: Result['failures']): string =>
  failures.map(({ check, title, message, curl }) => [`${check}: ${title}`, message, curl].join('\n')).join('\n\n')

const test = (profile: string, name: string, content: string): string =>
  `    <testcase classname="schemathesis.${escape(profile)}" name="${escape(name)}">${content}</testcase>\n`
