import type { Finding, PartResult } from '../harness/part.ts'

// Control characters are invalid in XML 1.0, even escaped.
const escape = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** For a part that names no rules. */
const WHOLE = 'keeps the contract'

/** JUnit XML: a suite per part, a test case per rule, one failure for everything that breaks it. */
export const junitXml = (results: readonly PartResult[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${results.map(suiteXml).join('')}</testsuites>\n`

function suiteXml({ part, status, reason, findings, rules = [], notReproduced = [], durationMs }: PartResult): string {
  const broken = Map.groupBy(findings, ruleOf)
  const names = [...new Set([...rules, ...broken.keys()])]
  const isSkipped = status === 'skipped' && findings.length === 0
  const cases = isSkipped || names.length === 0 ? [WHOLE] : names
  const caseXml = (name: string): string => {
    const content = isSkipped ? `<skipped message="${escape(reason ?? '')}"/>` : failureXml(broken.get(name) ?? [])
    return `    <testcase classname="contract-tests.${escape(part)}" name="${escape(name)}">${content}</testcase>\n`
  }
  const remarks = [
    ...(reason === undefined ? [] : [reason]),
    ...notReproduced.map(({ about, what }) => `seen once, not reproduced: ${about}: ${what}`),
  ].join('\n')
  return [
    `  <testsuite name="${escape(part)}" tests="${cases.length}" failures="${broken.size}" errors="0" skipped="${isSkipped ? 1 : 0}" time="${durationMs / 1000}">\n`,
    ...cases.map(caseXml),
    ...(remarks === '' ? [] : [`    <system-out>${escape(remarks)}</system-out>\n`]),
    '  </testsuite>\n',
  ].join('')
}

/** The name of the test case of a finding. */
export const ruleOf = ({ rule, about }: Finding): string => rule ?? about

function failureXml(findings: readonly Finding[]): string {
  const [first] = findings
  if (!first) return ''
  const texts = findings.map(({ about, what, also = [], curl = '' }) =>
    [`${about}: ${what}`, ...also.map((place) => `also: ${place}`), curl].filter((line) => line !== '').join('\n'),
  )
  return `<failure type="finding" message="${escape(first.what)}">${escape(texts.join('\n\n'))}</failure>`
}
