import { userInfo } from 'node:os'
import type { DifferenceTarget } from '../domain/ledger.ts'
import { endException, NoRepetition } from '../storage/operators/statements/end-exception.ts'
import { MALIPO } from './called-as.ts'
import { withDatabase } from './database.ts'
import { CliError, notFound, usedWrongly } from './errors.ts'
import { print, printable, printJson } from './output.ts'
import { amountText, exceptionRecord } from './reconcile-list.ts'

interface EndOptions {
  readonly reason: string
  readonly moveTo?: DifferenceTarget
  readonly secondMovement?: true
  readonly by?: string
  readonly json?: true
}

/** `reconcile end`: an operator explains a difference. */
export async function end(id: bigint, { reason, moveTo, secondMovement, by, json }: EndOptions): Promise<void> {
  const ended = await withDatabase(({ pool, clock }) =>
    endException(
      pool,
      id,
      {
        reason,
        by: by ?? userInfo().username,
        ...(moveTo && { moveTo }),
        ...(secondMovement && { isSecondMovement: true }),
      },
      clock.now(),
    ),
  ).catch((error: unknown) => {
    if (!(error instanceof NoRepetition)) throw error
    throw usedWrongly(
      `malipo: exception ${id} is ${error.message}: --second-movement is for maybe_repeated. Nothing was ended.`,
    )
  })
  if (!ended) throw notFound(`malipo: there is no exception ${id}.\nSee them all: ${MALIPO} reconcile list`)
  const { exception, isEndedNow } = ended
  if (!isEndedNow)
    throw new CliError(
      `malipo: exception ${id} was ended before, by ${printable(exception.ended_by ?? '')}: ${printable(exception.reason ?? '')}`,
    )
  if (json) return printJson(exceptionRecord(exception))
  if (secondMovement)
    print(`Its line is a movement of its own: ${MALIPO} reconcile ${exception.installation} judges it.`)
  const amount = `${amountText(exception.suspense_minor, exception.currency)} ${exception.currency}`
  print(`Exception ${id} (${exception.kind}) is ended. ${whereTo(exception.suspense_minor, amount, moveTo)}`)
}

function whereTo(suspenseMinor: bigint, amount: string, moveTo: DifferenceTarget | undefined): string {
  if (suspenseMinor === 0n) return 'It had no money.'
  return moveTo ? `${amount} went from the suspense account to ${moveTo}.` : `${amount} stays on the suspense account.`
}
