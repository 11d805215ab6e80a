// Redocly's own comparison as a second reader (`redocly diff`, experimental in 2.77). It knows rules that we might
// forget; it does not know that a callback is received and not sent, nor our policy for events and statuses, so where
// both speak about the same place, ours holds.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Change, Level } from './change.ts'
import type { Json } from '../reading/json.ts'
import { fileOf } from '../reading/places.ts'
import { redocly } from '../redocly.ts'

/** The part of its JSON report that is read here. */
interface Report {
  readonly changes: readonly {
    readonly verdicts?: readonly {
      readonly impact: Level
      readonly message: string
      readonly location: { readonly pointer: string }
    }[]
  }[]
}

/**
 * What Redocly's rules say about two bundled contracts.
 *
 * @throws Error when it gives no report
 */
export function redoclyChanges(released: Json, current: Json): Change[] {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-release-'))
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  try {
    const before = write('released.json', JSON.stringify(released))
    const after = write('current.json', JSON.stringify(current))
    const config = write('redocly.yaml', 'extends: [diff-recommended]\n')
    const output = join(folder, 'report.json')
    redocly('diff', before, after, '--config', config, '--format', 'json', '--output', output, '--fail-on', 'none')
    const report = JSON.parse(readFileSync(output, 'utf8')) as Report
    return report.changes.flatMap(({ verdicts = [] }) =>
      verdicts.map(({ impact, message, location }) => ({
        level: impact,
        where: fileOf(location.pointer),
        what: `${message} (says redocly diff)`,
        subjects: namesIn(message),
      })),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const namesIn = (message: string): string[] =>
  [...message.matchAll(/[`'"]([^`'"]+)[`'"]/g)].flatMap(([, name]) => name ?? [])

/** Ours, and what the second reader found at places where ours has nothing. */
export function withSecondReader(ours: readonly Change[], others: readonly Change[]): Change[] {
  const within = (inner: string, outer: string) =>
    inner === outer || inner.startsWith(`${outer}/`) || inner.startsWith(`${outer}#`)
  return [
    ...ours,
    ...others.filter(
      ({ where }) =>
        !ours.some(
          (change) => change.level !== 'patch' && (within(where, change.where) || within(change.where, where)),
        ),
    ),
  ]
}
