import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import type { Cost } from './profile.ts'

/** One line of the table. */
export interface Figure {
  readonly name: string
  /** The measured value, as text: `6,100/s`. */
  readonly value: string
  /** What it is compared with: `pgbench 16,500/s`. */
  readonly peer?: string
  readonly ratio?: number
  /** Absent: shown for orientation only. */
  readonly target?: string
  readonly reached?: boolean
}

export interface Explanation {
  readonly of: string
  readonly text: string
  readonly costs: readonly Cost[]
}

interface ReportSection {
  readonly name: string
  readonly what: string
  readonly figures: readonly Figure[]
  readonly notes: readonly string[]
  readonly explanations?: readonly Explanation[]
  readonly raw: unknown
}

interface Report {
  readonly date: string
  readonly machine: Machine
  readonly postgres: Readonly<Record<string, string>>
  readonly sections: readonly ReportSection[]
}

/** Rounded, with a separator for thousands. */
export const wholeNumber = (value: number): string => Math.round(value).toLocaleString('en-US')

export const formatReport = ({ date, machine, postgres, sections }: Report): string =>
  [
    `Malipo bench, ${date}`,
    `${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}, commit ${machine.commit}`,
    ...(Object.keys(postgres).length === 0
      ? []
      : [
          `PostgreSQL ${Object.entries(postgres)
            .map(([name, value]) => `${name} ${value}`)
            .join(', ')}`,
        ]),
    ...sections.flatMap(formatSection),
  ].join('\n')

function verdictOn({ reached }: Figure): string {
  if (reached === undefined) return ''
  return reached ? 'reached' : 'MISSED'
}

function formatSection({ name, what, figures, notes, explanations = [] }: ReportSection): string[] {
  const rows = figures.map((figure) => [
    figure.name,
    figure.value,
    figure.peer ?? '',
    figure.ratio === undefined ? '' : `${figure.ratio.toFixed(2)} ×`,
    figure.target ?? '',
    verdictOn(figure),
  ])
  return [
    '',
    `## ${name}: ${what}`,
    '',
    ...table([['what', 'measured', 'peer', 'ratio', 'target', ''], ...rows]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...explanations.flatMap(({ of, text, costs }) => [
      '',
      `${of}: ${text}`,
      ...costs.map(({ where, share }) => `${(share * 100).toFixed(1).padStart(7)} %  ${where}`),
    ]),
  ]
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join('  ')
      .trimEnd(),
  )
}

/** @returns the path of the text file without its extension; the JSON file is next to it */
export async function writeReport(report: Report, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, report.date.replaceAll(':', '-').replace(/\.\d+Z$/, 'Z'))
  await writeFile(`${path}.json`, `${JSON.stringify(report, undefined, 2)}\n`)
  await writeFile(`${path}.txt`, `${formatReport(report)}\n`)
  return path
}
