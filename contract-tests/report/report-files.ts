import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { coveragePage } from '../harness/coverage/page.ts'
import type { SuiteResult } from '../suite-result.ts'
import { junitXml } from './junit.ts'
import { markdownSummary } from './markdown.ts'
import { badgeOf } from './badge.ts'
import type { ContractLines } from '../schemathesis-runner-wrapper/contract-lines.ts'
import { sarifLog } from './sarif.ts'

/** Names of the report files, most useful first. */
export const REPORT_FILES = [
  'summary.txt',
  'summary.md',
  'coverage.html',
  'coverage.json',
  'results.json',
  'junit.xml',
  'results.sarif',
  'badge.json',
] as const

/** Writes each of `REPORT_FILES`, without keys. @param summary the printed text @param isWhole nothing limited the run */
export async function writeReports(
  folder: string,
  result: SuiteResult,
  { summary, places, isWhole }: { readonly summary: string; readonly places: ContractLines; readonly isWhole: boolean },
): Promise<void> {
  const { results, seed, size, coverage } = result
  await mkdir(folder, { recursive: true })
  const about = `Parts: ${results.map(({ part }) => part).join(', ')}. Size: ${size}, seed ${seed}.`
  await Promise.all([
    write('summary.txt', `${summary}\n`),
    write('summary.md', markdownSummary(result)),
    write('results.json', json({ ...result, coverage: undefined })),
    write('junit.xml', junitXml(results)),
    write('results.sarif', sarifLog(result, places)),
    write('badge.json', json(badgeOf(result, isWhole))),
    write('coverage.json', json(coverage)),
    write('coverage.html', coveragePage(coverage, { title: 'Coverage of the contract', about })),
  ])

  function write(name: (typeof REPORT_FILES)[number], text: string): Promise<void> {
    return writeFile(join(folder, name), text)
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`
