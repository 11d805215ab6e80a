import type { DifferenceTarget } from '../../domain/ledger.ts'
import { amountText } from '../../domain/money.ts'
import { endException as end, NoRepetition, type ExceptionView } from '../queries/statements/end-exception.ts'
import { displayValues } from './display-values.ts'
import { exceptionNamed } from './exception-named.ts'
import { OperationRefusal, type Operation } from './operation.ts'

interface EndInput {
  readonly exception: string
  readonly reason: string
  /** Where its money goes; absent: it stays on the suspense account. */
  readonly moveTo?: DifferenceTarget | undefined
  readonly isSecondMovement?: boolean | undefined
  /** Who decides, if not the actor. */
  readonly by?: string | undefined
}

/** A person resolves a difference. No wallet changes. */
export const endException: Operation<EndInput, { readonly exception_id: string }> = {
  name: 'reconcile end',
  approval: 'manual-resolution',
  async prepare(context, { exception: id, reason, moveTo, isSecondMovement, by = context.actor.name }) {
    const exceptionId = (await exceptionNamed(context, id)).id
    const decision = { reason, by, ...(moveTo && { moveTo }), ...(isSecondMovement && { isSecondMovement }) }
    return {
      subject: `exception ${id}`,
      read: async (pool, ended) => (ended ? endValues(await exceptionNamed({ pool }, id), by) : {}),
      async apply(pool) {
        if (!(await end(pool, exceptionId, decision, context.clock.now()).catch(noRepetition(id))))
          throw endedBefore(await exceptionNamed({ pool }, id))
        return { exception_id: id }
      },
    }
  },
}

export const endedBefore = ({ id, ended_by: by, reason }: ExceptionView): OperationRefusal =>
  new OperationRefusal('conflict', `exception ${id} was ended before, by ${by}: ${reason}`)

const noRepetition = (id: string) => (error: unknown) => {
  if (!(error instanceof NoRepetition)) throw error
  throw new OperationRefusal(
    'invalid',
    `exception ${id} is ${error.message}: only what is maybe_repeated can be a second movement; nothing was ended`,
  )
}

const endValues = (
  { rail_account: railAccount, kind, suspense_minor: suspense, currency, moved_to: movedTo }: ExceptionView,
  by: string,
) =>
  displayValues({
    ended: `${kind} of ${railAccount}`,
    'ended by': by,
    ...(suspense !== 0n && {
      money: `${amountText(suspense, currency)} ${currency} ${movedTo === null ? 'stays on the suspense account' : `to ${movedTo}`}`,
    }),
  })
