import { amountText, formatMoney, money } from '../../domain/money.ts'
import { bookMovement, type MovementBooked, type OwnMovement } from '../queries/statements/book-movement.ts'
import { BY_RECONCILIATION } from '../queries/statements/exceptions.ts'
import { displayValues } from './display-values.ts'
import { movementReference, positiveMinor } from './move-money.ts'
import { OperationRefusal, type Operation } from './operation.ts'
import { railAccountNamed } from './rail-account-named.ts'

interface MovementInput {
  readonly railAccount: string
  readonly direction: 'in' | 'out'
  /** In major units of the rail account's currency, as text. */
  readonly amount: string
  /** The operator's own, as its statement will show it. */
  readonly reference: string
  readonly reason: string
  /** Who decides, if not the actor. */
  readonly by?: string | undefined
}

/** What was booked, now or before by the same reference. */
interface Movement {
  readonly rail_account: string
  readonly amount: string
  readonly currency: string
  readonly booked_before: boolean
  readonly at?: string
  readonly by?: string
  readonly reason?: string
}

/** What the owner of a rail account moved at the operator without Malipo. No wallet changes. */
export const bookOwnMovement: Operation<MovementInput, Movement & Readonly<Record<string, string | boolean>>> = {
  name: 'rail book',
  approval: 'transfers',
  async prepare(context, input) {
    const { railAccount: name, direction, amount, reason, by = context.actor.name } = input
    const reference = movementReference(input.reference)
    if (by === BY_RECONCILIATION)
      throw new OperationRefusal('invalid', `${by} is not a person`, 'Name who decides with --by.')
    const { currency } = (await railAccountNamed(context, name)).railAccount
    const amountMinor = positiveMinor(amount, currency)
    const moved = { railAccount: name, currency, direction, amountMinor, reference, reason, by }
    const done = { rail_account: name, amount: amountText(amountMinor, currency), currency }
    return {
      subject: name,
      reference,
      amount: money(amountMinor, currency),
      read: async (_pool, result) =>
        result && !result.booked_before
          ? displayValues({ movement: `${formatMoney(money(amountMinor, currency))} ${direction}`, 'said by': by })
          : {},
      async apply(pool) {
        const booked = bookedOrRefused(moved, await bookMovement(pool, moved, context.clock.now()))
        if (booked.result === 'booked') return { ...done, booked_before: false }
        return { ...done, booked_before: true, at: booked.at.toISOString(), by: booked.by, reason: booked.reason }
      },
    }
  },
}

/** @throws OperationRefusal if nothing was booked */
function bookedOrRefused(
  { railAccount: name, reference, currency }: OwnMovement,
  booked: MovementBooked,
): Extract<MovementBooked, { result: 'booked' | 'booked_before' }> {
  if (booked.result === 'open_exception')
    throw new OperationRefusal(
      'conflict',
      `the statement of ${name} has ${reference} already, as exception ${booked.exceptionId}; nothing was booked`,
      `Explain it there: malipo reconcile end ${booked.exceptionId} --reason … --move-to outside`,
    )
  if (booked.result === 'booked' || booked.result === 'booked_before') return booked
  const { direction, amountMinor } = booked
  const other = `${formatMoney(money(amountMinor, currency))} ${direction}`
  throw new OperationRefusal(
    'conflict',
    `${reference} is the name of another movement at ${name}: ${other}; nothing was booked`,
  )
}
