import type { Command } from 'commander'
import { MONTHS_AHEAD } from '../../storage/months.ts'
import { makeComingMonths } from '../../storage/owned-months.ts'
import { MALIPO } from './called-as.ts'
import { describeLeaf } from './command.ts'
import { withOwner } from './database.ts'
import { print, printJson } from './output.ts'

export function define(command: Command): void {
  describeLeaf(
    command.summary(command.description()).description(
      `create the partitions of this month and the next ${MONTHS_AHEAD} where they are missing: for a daily timer.
Servers create them on their own where DATABASE_URL names the owner of the database.`,
    ),
    `${MALIPO} months`,
    `${MALIPO} months --json`,
  ).action(async ({ json }: { json?: true }) => {
    const made = await withOwner(({ owner, clock }) => makeComingMonths(owner, clock.now()))
    if (json) return printJson({ made })
    if (made.length === 0) return print(`This month and the next ${MONTHS_AHEAD} are there.`)
    for (const month of made) print(`made ${month}`)
  })
}
