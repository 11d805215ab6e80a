import { withProgress } from '../../progress.ts'
import { pullStatement } from '../operations/import-statement.ts'
import type { RelativeTime } from './command.ts'
import { withDatabase } from './database.ts'
import { runAddition } from './run-change.ts'
import type { RecordedOptions } from './staff-action.ts'
import { report } from './statement-report.ts'

interface PullOptions extends RecordedOptions {
  readonly since: RelativeTime
}

/** `statement pull`: imports what the operator's API reports. */
export async function pull(name: string, { since, json, reason }: PullOptions): Promise<void> {
  const imported = await withDatabase((context) =>
    withProgress(`pulling the statement of ${name}`, () =>
      runAddition(context, pullStatement, { rail_account: name, since: since(context.clock.now()) }, { reason }),
    ),
  )
  report(imported, json === true)
}
