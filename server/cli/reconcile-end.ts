import { userInfo } from 'node:os'
import type { DifferenceTarget } from '../domain/ledger.ts'
import { endException } from '../storage/operators/statements/end-exception.ts'
import { MALIPO } from './called-as.ts'
import { withDatabase } from './database.ts'
import { CliError, notFound } from './errors.ts'
import { print, printable, printJson } from './output.ts'
import { amountText, exceptionRecord } from './reconcile-list.ts'

interface EndOptions {
  readonly reason: string
  readonly moveTo?: DifferenceTarget
  readonly by?: string
  readonly json?: true
}

/** `reconcile end`: an operator explains a difference. */
export async function end(id: bigint, { reason, moveTo, by, json }: EndOptions): Promise<void> {
  const ended = await withDatabase(({ pool, clock }) =>
    endException(pool, id, { reason, by: by ?? userInfo().username, ...(moveTo && { moveTo }) }, clock.now()),
  )
  if (!ended) throw notFound(`malipo: there is no exception ${id}.\nSee them all: ${MALIPO} reconcile list`)
  const { exception, isEndedNow } = ended
  if (!isEndedNow)
    throw new CliError(
      `malipo: exception ${id} was ended before, by ${printable(exception.ended_by ?? '')}: ${printable(exception.reason ?? '')}`,
    )
  if (json) return printJson(exceptionRecord(exception))
  const amount = `${amountText(exception.suspense_minor, exception.currency)} ${exception.currency}`
  print(`Exception ${id} (${exception.kind}) is ended. ${whereTo(exception.suspense_minor, amount, moveTo)}`)
}

function whereTo(suspenseMinor: bigint, amount: string, moveTo: DifferenceTarget | undefined): string {
  if (suspenseMinor === 0n) return 'It had no money.'
  return moveTo ? `${amount} went from the suspense account to ${moveTo}.` : `${amount} stays on the suspense account.`
}
