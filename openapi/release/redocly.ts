// Redocly's own comparison as a second reader (`redocly diff`, experimental in 2.77). It knows rules that we might
// forget; it does not know that a callback is received and not sent, nor our policy for events and statuses, so where
// both speak about the same place, ours holds.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Change, Level } from './change.ts'
import type { Json } from '../reading/json.ts'
import { fileOf } from '../reading/places.ts'

const BINARY = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url))
/** Alone it needs half a second. */
const TIME_MS_MAX = 60_000

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
 * @throws Error with what it printed, when it gives no report
 */
export async function redoclyChanges(released: Json, current: Json): Promise<Change[]> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-release-'))
  const [before, after, output] = [
    join(folder, 'released.json'),
    join(folder, 'current.json'),
    join(folder, 'report.json'),
  ]
  try {
    await Promise.all([
      writeFile(before, JSON.stringify(released)),
      writeFile(after, JSON.stringify(current)),
      writeFile(join(folder, 'redocly.yaml'), 'extends: [diff-recommended]\n'),
    ])
    const printed = await run([
      'diff',
      before,
      after,
      '--config',
      join(folder, 'redocly.yaml'),
      '--format',
      'json',
      '--output',
      output,
      '--fail-on',
      'none',
    ])
    const report = await readFile(output, 'utf8')
      .then((text) => JSON.parse(text) as Report)
      .catch((cause: unknown) => {
        throw new Error(`redocly diff gave no report:\n${printed}`, { cause })
      })
    return report.changes.flatMap(({ verdicts = [] }) =>
      verdicts.map(({ impact, message, location }) => ({
        level: impact,
        where: fileOf(location.pointer),
        what: `${message} (says redocly diff)`,
        subjects: namesIn(message),
      })),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      BINARY,
      args,
      { timeout: TIME_MS_MAX, env: { ...process.env, REDOCLY_TELEMETRY: 'off' } },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    )
  })
}

const namesIn = (message: string): string[] =>
  [...message.matchAll(/[`'"]([^`'"]+)[`'"]/g)].flatMap(([, name]) => name ?? [])

/** Ours, and what the second reader found at places where ours has nothing. */
export function withSecondReader(ours: readonly Change[], theirs: readonly Change[]): Change[] {
  const within = (inner: string, outer: string) =>
    inner === outer || inner.startsWith(`${outer}/`) || inner.startsWith(`${outer}#`)
  return [
    ...ours,
    ...theirs.filter(
      ({ where }) =>
        !ours.some(
          (change) => change.level !== 'patch' && (within(where, change.where) || within(change.where, where)),
        ),
    ),
  ]
}
