import type { DifferenceTarget } from '../../domain/ledger.ts'
import { amountText } from '../../domain/money.ts'
import { endException } from '../operations/end-exception.ts'
import { exceptionNamed } from '../operations/exception-named.ts'
import { MALIPO } from './called-as.ts'
import { withDatabase } from './database.ts'
import { print, printJson } from './output.ts'
import { exceptionRecord } from './reconcile-list.ts'
import { runChange } from './run-change.ts'
import type { StaffOptions } from './staff-action.ts'

interface EndOptions extends StaffOptions {
  readonly moveTo?: DifferenceTarget
  readonly secondMovement?: true
  readonly by?: string
}

/** `reconcile end`: a staff member resolves a difference. */
export async function end(id: bigint, options: EndOptions): Promise<void> {
  const { reason, moveTo, secondMovement: isSecondMovement, by, json } = options
  const exception = await withDatabase(async (context) => {
    const input = { exception: String(id), reason, moveTo, isSecondMovement, by }
    const { exception_id: ended } = await runChange(context, endException, input, options)
    return exceptionNamed(context, ended)
  })
  if (json) return printJson(exceptionRecord(exception))
  if (isSecondMovement)
    print(`Its line is a movement of its own: ${MALIPO} reconcile ${exception.rail_account} judges it.`)
  const amount = `${amountText(exception.suspense_minor, exception.currency)} ${exception.currency}`
  print(`Exception ${id} (${exception.kind}) is ended. ${whereTo(exception.suspense_minor, amount, moveTo)}`)
}

function whereTo(suspenseMinor: bigint, amount: string, moveTo: DifferenceTarget | undefined): string {
  if (suspenseMinor === 0n) return 'It had no money.'
  return moveTo ? `${amount} went from the suspense account to ${moveTo}.` : `${amount} stays on the suspense account.`
}
