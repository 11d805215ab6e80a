import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { coveragePage } from '../harness/coverage/page.ts'
import type { PartResult } from '../harness/part.ts'
import type { SuiteResult } from '../suite-result.ts'

/** Names of what is written, in the order in which people want it. */
export const REPORT_FILES = ['summary.txt', 'coverage.html', 'coverage.json', 'results.json', 'junit.xml'] as const

/** Writes each of `REPORT_FILES`. No key is in any of them. @param summary what was printed */
export async function writeReports(folder: string, result: SuiteResult, summary: string): Promise<void> {
  const { results, seed, size, coverage } = result
  await mkdir(folder, { recursive: true })
  const about = `Parts: ${results.map(({ part }) => part).join(', ')}. Size: ${size}, seed ${seed}.`
  await Promise.all([
    write('summary.txt', `${summary}\n`),
    write('results.json', json({ ...result, coverage: undefined })),
    write('junit.xml', junitXml(results)),
    write('coverage.json', json(coverage)),
    write('coverage.html', coveragePage(coverage, { title: 'Coverage of the contract', about })),
  ])

  function write(name: (typeof REPORT_FILES)[number], text: string): Promise<void> {
    return writeFile(join(folder, name), text)
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

// Control characters do not exist in XML 1.0, not even escaped.
const escape = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** JUnit XML: a suite per part, a test per finding; a part without findings is one test. */
export const junitXml = (results: readonly PartResult[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${results.map(suiteXml).join('')}</testsuites>\n`

function suiteXml({ part, status, reason, findings, durationMs }: PartResult): string {
  const test = (name: string, content: string): string =>
    `    <testcase classname="contract-tests.${escape(part)}" name="${escape(name)}">${content}</testcase>\n`
  const tests =
    findings.length > 0
      ? findings.map(({ about, what, curl }) =>
          test(
            `${about}: ${what}`.slice(0, 200),
            `<failure message="${escape(what)}">${escape([about, what, curl ?? ''].join('\n'))}</failure>`,
          ),
        )
      : [test('keeps the contract', status === 'skipped' ? `<skipped message="${escape(reason ?? '')}"/>` : '')]
  return `  <testsuite name="${escape(part)}" tests="${tests.length}" failures="${findings.length}" skipped="${status === 'skipped' ? 1 : 0}" time="${durationMs / 1000}">\n${tests.join('')}  </testsuite>\n`
}
