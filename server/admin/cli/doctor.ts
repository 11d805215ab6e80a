import { InvalidArgumentError, type Command } from 'commander'
import { withProgress } from '../../progress.ts'
import { examineChanged, type Finding } from '../queries/doctor.ts'
import { readWarnings } from '../queries/doctor/warnings.ts'
import { packageOf, RAIL_KINDS, type PackageOrigin } from '../../rails/registry.ts'
import { CLOCK_SKEW_REPORTED_MS, skewText, type SharedClock } from '../../storage/shared-clock.ts'
import { asTyped, MALIPO } from './called-as.ts'
import { describeLeaf } from './command.ts'
import { withDatabase } from './database.ts'
import { examineAnchors, readAnchors } from './doctor-anchors.ts'
import { examineMessageSpool } from './doctor-spool.ts'
import { FAILED } from './errors.ts'
import { print, printable, printJson } from './output.ts'

interface Options {
  readonly json?: true
  readonly full?: boolean
  readonly anchor?: string
}

const ANCHOR = `check everything, and compare the hash chain with lines that ${MALIPO} ledger anchor printed`

export function define(command: Command): void {
  describeLeaf(
    command
      .option('--full', 'check everything, not only what has changed since the last clean run')
      .option('--anchor <file>', ANCHOR, onlyOne),
    `${MALIPO} doctor`,
    `${MALIPO} doctor --full`,
    `${MALIPO} doctor --anchor /media/safe/anchors.txt`,
    `${MALIPO} doctor --json`,
  ).action(async ({ json, full = false, anchor }: Options) => {
    const anchors = anchor === undefined ? undefined : readAnchors(anchor)
    const startedAt = performance.now()
    const { checkedAt, findings, since, warnings } = await withDatabase(async ({ config, pool, clock }) => {
      const checkedAt = clock.now()
      const ofClock = examineClock(clock)
      const ofSpool = await examineMessageSpool(config, pool, checkedAt)
      if (!json) [ofClock, ofSpool].forEach(report)
      const examined = await withProgress('checking', ({ clear }) =>
        // Printed as each finding arrives: on a large database the next one may take seconds.
        examineChanged(pool, checkedAt, full || anchors !== undefined, (finding) => {
          clear()
          if (!json) report(finding)
        }),
      )
      const ofAnchors = anchors ? [await examineAnchors(pool, anchors)] : []
      if (!json) ofAnchors.forEach(report)
      return {
        checkedAt,
        since: examined.since,
        findings: [ofClock, ofSpool, ...examined.findings, ...ofAnchors],
        warnings: await readWarnings(pool, checkedAt),
      }
    })
    const durationMs = Math.round(performance.now() - startedAt)
    const clean = findings.every(({ found }) => found === 0)
    if (json)
      printJson({
        clean,
        checked_at: checkedAt,
        changed_since: since ?? null,
        duration_ms: durationMs,
        checks: findings.map((finding) => ({ ...finding, ok: finding.found === 0 })),
        warnings,
        rail_packages: packages(),
      })
    else {
      packages().forEach(printPackage)
      for (const { text } of warnings) print(`warn   ${printable(asTyped(text))}`)
      print(
        `\n${
          clean
            ? `Clean: ${findings.length} checks in ${durationMs} ms.`
            : `Not clean: ${findings.filter(({ found }) => found > 0).length} of ${findings.length} rules are broken.`
        }${since ? `\nOnly payments that have changed since the clean run of ${since.toISOString()} were checked; --full checks all.` : ''}`,
      )
    }
    if (!clean) process.exitCode = FAILED
  })
}

const packages = (): readonly PackageOrigin[] => RAIL_KINDS.flatMap(({ name }) => packageOf(name) ?? [])

const printPackage = ({ path, sha256 }: PackageOrigin): void =>
  print(`rail   ${printable(path)}, SHA-256 ${sha256}: it has all rights of Malipo`)

/** Rejects a second file, which would be ignored. */
function onlyOne(file: string, before?: string): string {
  if (before !== undefined) throw new InvalidArgumentError('It is set twice: set it once.')
  return file
}

/**
 * Checks the clock of the machine that the command runs on; each server reports the same for its own at
 * `/health/ready`.
 */
function examineClock(clock: SharedClock): Finding {
  const skewMs = clock.skewMs()
  const found = Math.abs(skewMs) > CLOCK_SKEW_REPORTED_MS ? 1 : 0
  return {
    name: 'clocks_agree',
    rule: `this machine's clock agrees with the database's to ${CLOCK_SKEW_REPORTED_MS / 1000} s`,
    found,
    examples: found === 0 ? [] : [`it is ${skewText(skewMs)}`],
  }
}

function report({ rule, found, examples }: Finding): void {
  if (found === 0) return print(`ok     ${asTyped(rule)}`)
  print(`WRONG  ${asTyped(rule)}: ${found} ${found === 1 ? 'does' : 'do'} not`)
  for (const example of examples) print(`         ${printable(example)}`)
  if (found > examples.length) print(`         and ${found - examples.length} more`)
}
