import type { DifferenceTarget } from '../../domain/ledger.ts'
import { endException, NoRepetition, type ExceptionView } from '../queries/statements/end-exception.ts'
import { MALIPO } from './called-as.ts'
import { withDatabase } from './database.ts'
import { CliError, notFound, usedWrongly } from './errors.ts'
import { print, printable, printJson } from './output.ts'
import { exceptionRecord } from './reconcile-list.ts'
import { amountText } from '../../domain/money.ts'
import { addition, shownValues, staffAction, type StaffOptions } from './staff-action.ts'

interface EndOptions extends StaffOptions {
  readonly moveTo?: DifferenceTarget
  readonly secondMovement?: true
  readonly by?: string
}

/** `reconcile end`: a staff member resolves a difference. */
export async function end(id: bigint, options: EndOptions): Promise<void> {
  const { reason, moveTo, secondMovement, json } = options
  const exception = await withDatabase((context) => {
    const by = options.by ?? context.actor.name
    const decision = { reason, by, ...(moveTo && { moveTo }), ...(secondMovement && { isSecondMovement: true }) }
    return staffAction(
      context,
      { command: 'reconcile end', subject: `exception ${id}` },
      options,
      addition(
        async (pool) =>
          endedNow(id, await endException(pool, id, decision, context.clock.now()).catch(noRepetition(id))),
        (ended) => endValues(ended, by),
      ),
    )
  })
  if (json) return printJson(exceptionRecord(exception))
  if (secondMovement)
    print(`Its line is a movement of its own: ${MALIPO} reconcile ${exception.rail_account} judges it.`)
  const amount = `${amountText(exception.suspense_minor, exception.currency)} ${exception.currency}`
  print(`Exception ${id} (${exception.kind}) is ended. ${whereTo(exception.suspense_minor, amount, moveTo)}`)
}

/** @throws CliError if this call did not end it */
function endedNow(id: bigint, ended: Awaited<ReturnType<typeof endException>>): ExceptionView {
  if (!ended) throw notFound(`malipo: there is no exception ${id}.\nSee them all: ${MALIPO} reconcile list`)
  const { exception, isEndedNow } = ended
  if (isEndedNow) return exception
  throw new CliError(
    `malipo: exception ${id} was ended before, by ${printable(exception.ended_by ?? '')}: ${printable(exception.reason ?? '')}`,
  )
}

const noRepetition = (id: bigint) => (error: unknown) => {
  if (!(error instanceof NoRepetition)) throw error
  throw usedWrongly(
    `malipo: exception ${id} is ${error.message}: --second-movement is for maybe_repeated. Nothing was ended.`,
  )
}

const endValues = (
  { rail_account: railAccount, kind, suspense_minor: suspense, currency, moved_to: movedTo }: ExceptionView,
  by: string,
) =>
  shownValues({
    ended: `${kind} of ${railAccount}`,
    'ended by': by,
    ...(suspense !== 0n && {
      money: `${amountText(suspense, currency)} ${currency} ${movedTo === null ? 'stays on the suspense account' : `to ${movedTo}`}`,
    }),
  })

function whereTo(suspenseMinor: bigint, amount: string, moveTo: DifferenceTarget | undefined): string {
  if (suspenseMinor === 0n) return 'It had no money.'
  return moveTo ? `${amount} went from the suspense account to ${moveTo}.` : `${amount} stays on the suspense account.`
}
