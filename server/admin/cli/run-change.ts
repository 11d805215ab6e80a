import type { Operation, OperationResult } from '../operations/operation.ts'
import type { HowToRun, OperationOutcome } from '../operations/run-operation.ts'
import { runOperation } from '../operations/run-operation.ts'
import type { Difference } from '../queries/audit-log.ts'
import type { Context } from './database.ts'
import { CliError, WAITS } from './errors.ts'
import {
  isConfirmed,
  isSomebodyThere,
  showDifference,
  type RecordedOptions,
  type StaffOptions,
} from './staff-action.ts'

type Confirm = NonNullable<HowToRun['confirm']>

/** On a terminal it shows the change and asks first, unless `--yes` is set; elsewhere nobody can confirm. */
export const confirmation = ({ yes }: Pick<StaffOptions, 'yes'>): Confirm | undefined =>
  yes || !isSomebodyThere(process.stdin, process.stderr)
    ? undefined
    : async (what, preview) => {
        showDifference(what, await preview())
        if (!(await isConfirmed(process.stdin, process.stderr))) throw new CliError('malipo: nothing was changed.')
      }

/**
 * Runs an operation for a command that asks for a reason, and shows what it has changed.
 * @throws CliError `waits for approval` if a second person must approve it
 */
export async function runChange<Input, Result extends OperationResult>(
  context: Context,
  operation: Operation<Input, Result>,
  input: Input,
  options: StaffOptions,
): Promise<Result> {
  const confirm = confirmation(options)
  const outcome = await runOperation(context, operation, input, { reason: options.reason, ...(confirm && { confirm }) })
  return resultOf(outcome, (difference, what) => {
    if (!options.json && !confirm) showDifference(what, difference)
  })
}

/** The same without confirmation, for what only adds something; the command prints what it did. */
export const runAddition = async <Input, Result extends OperationResult>(
  context: Context,
  operation: Operation<Input, Result>,
  input: Input,
  { reason }: RecordedOptions,
): Promise<Result> => resultOf(await runOperation(context, operation, input, { reason }))

/** @throws CliError if it waits for approval */
export function resultOf<Result>(
  outcome: OperationOutcome<Result>,
  show: (difference: Difference, what: string) => void = () => undefined,
): Result {
  const { what } = outcome
  if (outcome.kind === 'waits') throw new CliError(`malipo: ${what} waits for approval ${outcome.approvalId}`, WAITS)
  show(outcome.difference, what)
  return outcome.result
}
