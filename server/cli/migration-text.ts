import { blockerText, type LockNotHad } from '../storage/bounded-locks.ts'
import type { OlderProcesses } from '../storage/migrate.ts'
import { processText } from '../storage/processes.ts'
import { MALIPO } from './called-as.ts'

/** What keeps a migration from being begun, and what to do. */
export function heldUpText({ message, kind, processes }: OlderProcesses): string {
  const cure =
    kind === 'stop'
      ? `Stop them, then run ${MALIPO} migrate, or start the servers of this version.`
      : `This version works without it: replace them by this version, then run ${MALIPO} migrate.`
  const lines = processes.map((process) => `  ${processText(process)}`)
  return [`${message} that do not know it; nothing of it was done.`, ...lines, cure].join('\n')
}

/** Who held up a migration until it gave up. */
export function blockedText({ message, blockers }: LockNotHad): string {
  const lines = blockers.map((blocker) => `  ${blockerText(blocker)}`)
  const whom = blockers.length > 0 ? 'It waited for:' : 'Whom it waited for could not be seen.'
  return [
    `${message}: nothing of it was kept.`,
    whom,
    ...lines,
    `End that transaction, then run ${MALIPO} migrate again.`,
  ].join('\n')
}
