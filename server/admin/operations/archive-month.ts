import { archiveMonth as archive, KEPT_MONTHS, type ArchiveResult } from '../queries/archive/archive-month.ts'
import { ChainMismatch } from '../queries/archive/archived-chain.ts'
import { ArchiveDamaged } from '../queries/archive/month-files.ts'
import { OperationRefusal, type OperationContext } from './operation.ts'

interface ArchiveRequest {
  readonly month: string
  /** Of the machine where it runs. */
  readonly folder: string
  readonly reason?: string | undefined
}

export type Archived = Extract<ArchiveResult, { readonly result: 'archived' | 'archived_before' }>

/**
 * Writes the files of a month first, then takes it out of the database. The commits in between are no changes, so its
 * entry is in the last one. Only the command line has it: it needs the owner's login and a folder on the machine.
 * @throws OperationRefusal, ActorRefused
 */
export async function archiveMonth(
  { actor, pool, clock, requestId }: OperationContext,
  { month, folder, reason }: ArchiveRequest,
): Promise<Archived> {
  const action = { actor, command: 'archive run', subject: month, reason, requestId }
  const archived = await archive(pool, month, folder, clock.now(), action).catch((error: unknown) => {
    throw refusalOf(error)
  })
  switch (archived.result) {
    case 'no_such_month':
      throw new OperationRefusal('not_found', `there is no month ${month} in the database`)
    case 'too_young':
      throw new OperationRefusal(
        'conflict',
        `${month} can be archived from ${archived.archivableFrom.toISOString().slice(0, 10)} on, ${KEPT_MONTHS} months after its end`,
      )
    case 'open':
      throw new OperationRefusal(
        'conflict',
        `${month} is not over: ${archived.open.map(({ what, count }) => `${count} ${what}`).join(', ')}`,
        'End them first (malipo transaction list --stuck, malipo callback list, malipo reconcile list), then try again.',
      )
    case 'archived':
    case 'archived_before':
      return archived
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof ChainMismatch)
    return new OperationRefusal(
      'conflict',
      error.message,
      'The database still has the whole month. See what was changed: malipo doctor --full',
    )
  return error instanceof ArchiveDamaged
    ? new OperationRefusal(
        'conflict',
        error.message,
        'The month is still whole in the database: move that folder away and try again.',
      )
    : error
}
