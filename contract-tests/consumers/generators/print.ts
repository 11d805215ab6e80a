import { tableText } from '../../../server/admin/cli/output.ts'
import { hasFailed, type Row } from './matrix.ts'

/** The table, then the failures, then why the other warnings do not matter. */
export function matrixText(rows: readonly Row[]): string {
  const table = tableText<Row>(
    rows,
    [
      { title: 'GENERATOR', of: ({ generator }) => generator },
      { title: 'VERSION', of: ({ version }) => version },
      { title: 'LANGUAGE', of: ({ language }) => language },
      { title: 'OPENAPI', of: ({ reads, older }) => (older === undefined ? reads : `${reads} (${older})`) },
      { title: 'GENERATED', of: ({ missing, generated }) => (missing === undefined ? shown(generated) : 'missing') },
      { title: 'WARNINGS', of: warningsShown },
      { title: 'COMPILED', of: ({ compiled }) => shown(compiled) },
      { title: 'CALLED', of: ({ called }) => shown(called) },
    ],
    Number.POSITIVE_INFINITY,
  )
  const lines = rows.flatMap(({ generator, missing, generated, compiled, called, warnings, explained }) => [
    ...(missing === undefined ? [] : [`${generator}: missing: ${missing}`]),
    ...Object.entries({ generated, compiled, called })
      .filter(([, step]) => shown(step) === 'no')
      .map(([step, why]) => `${generator}: not ${step}: ${why}`),
    ...[...new Set(warnings)].map((warning) => `${generator}: not explained: ${warning}`),
    ...explained.map(({ count, why }) => `${generator}: ${count} explained: ${why}`),
  ])
  const missing = rows.filter((row) => row.missing !== undefined).length
  const failed = rows.filter(hasFailed).length
  return [
    table,
    '',
    ...lines,
    `${rows.length - missing - failed} of ${rows.length} generators work, ${failed} failed, ${missing} missing`,
  ].join('\n')
}

const shown = (step: string): string => (step === 'yes' || step === '-' ? step : 'no')

function warningsShown({ missing, warnings, explained }: Row): string {
  if (missing !== undefined) return '-'
  const count = explained.reduce((sum, each) => sum + each.count, 0)
  const parts = [
    ...(warnings.length > 0 ? [`${warnings.length} not explained`] : []),
    ...(count > 0 ? [`${count} explained`] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : 'none'
}
