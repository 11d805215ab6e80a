import type { Command } from 'commander'
import { examine, type Finding } from '../storage/doctor.ts'
import { describeLeaf } from './command.ts'
import { withDatabase } from './database.ts'
import { FAILED } from './errors.ts'
import { print, printable, printJson } from './output.ts'

export function define(command: Command): void {
  describeLeaf(command, 'malipo doctor', 'malipo doctor --json').action(async ({ json }: { json?: true }) => {
    const checkedAt = new Date()
    const startedAt = performance.now()
    // Told as they come: on a large database the next answer may take seconds.
    const findings = await withDatabase(({ pool }) => examine(pool, checkedAt, json ? undefined : tell))
    const durationMs = Math.round(performance.now() - startedAt)
    const clean = findings.every(({ found }) => found === 0)
    if (json) printJson({ clean, checked_at: checkedAt, duration_ms: durationMs, checks: findings.map((finding) => ({ ...finding, ok: finding.found === 0 })) })
    else print(clean ? `\nClean: ${findings.length} checks of one snapshot in ${durationMs} ms.` : `\nNot clean: ${findings.filter(({ found }) => found > 0).length} of ${findings.length} rules are broken.`)
    if (!clean) process.exitCode = FAILED
  })
}

function tell({ rule, found, examples }: Finding): void {
  if (found === 0) return print(`ok     ${rule}`)
  print(`WRONG  ${rule}: ${found} ${found === 1 ? 'does' : 'do'} not`)
  for (const example of examples) print(`         ${printable(example)}`)
  if (found > examples.length) print(`         and ${found - examples.length} more`)
}
