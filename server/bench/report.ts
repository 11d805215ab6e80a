import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import type { Cost } from './profile.ts'

/** One line of the table. */
export interface Figure {
  readonly name: string
  /** What was measured, in words: `6,100/s`. */
  readonly value: string
  /** What it is compared with: `pgbench 16,500/s`. */
  readonly peer?: string
  readonly ratio?: number
  /** Absent: shown for orientation. */
  readonly target?: string
  readonly reached?: boolean
}

export interface Explanation {
  readonly of: string
  readonly text: string
  readonly costs: readonly Cost[]
}

export interface Report {
  readonly date: string
  readonly machine: Machine
  readonly postgres: Readonly<Record<string, string>>
  readonly figures: readonly Figure[]
  readonly notes: readonly string[]
  readonly explanations: readonly Explanation[]
  /** Every single measurement, so that others can judge the spread. */
  readonly raw: unknown
}

export const wholeNumber = (value: number): string => Math.round(value).toLocaleString('en-US')

export function formatReport({ date, machine, postgres, figures, notes, explanations }: Report): string {
  const rows = figures.map(({ name, value, peer, ratio, target, reached }) =>
    [name, value, peer ?? '', ratio === undefined ? '' : `${ratio.toFixed(2)} ×`, target ?? '', reached === undefined ? '' : reached ? 'reached' : 'MISSED'])
  return [
    `Malipo bench, ${date}`,
    `${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}, commit ${machine.commit}`,
    `PostgreSQL ${Object.entries(postgres).map(([name, value]) => `${name} ${value}`).join(', ')}`,
    '',
    ...table([['what', 'measured', 'peer', 'ratio', 'target', ''], ...rows]),
    '',
    ...notes,
    ...explanations.flatMap(({ of, text, costs }) => ['', `${of}: ${text}`, ...costs.map(({ where, share }) => `${(share * 100).toFixed(1).padStart(7)} %  ${where}`)]),
  ].join('\n')
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd())
}

/** @returns the path of the text, without its ending; the JSON lies beside it */
export async function writeReport(report: Report, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, report.date.replaceAll(':', '-').replace(/\.\d+Z$/, 'Z'))
  await writeFile(`${path}.json`, `${JSON.stringify(report, undefined, 2)}\n`)
  await writeFile(`${path}.txt`, `${formatReport(report)}\n`)
  return path
}
