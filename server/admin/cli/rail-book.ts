import { formatMoney, money } from '../../domain/money.ts'
import { bookMovement, type MovementBooked, type OwnMovement } from '../queries/statements/book-movement.ts'
import { BY_RECONCILIATION } from '../queries/statements/exceptions.ts'
import { minorFromText } from './amount.ts'
import { MALIPO } from './called-as.ts'
import { withDatabase } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { print, printable, printJson, shortTime } from './output.ts'
import { railAccountNamed } from './rail-named.ts'
import { addition, shownValues, staffAction, type StaffOptions } from './staff-action.ts'

interface BookOptions extends StaffOptions {
  readonly reference: string
  readonly by?: string
}

/** `rail book`: books what the owner of a rail account moved at the operator without Malipo. */
export async function book(name: string, direction: 'in' | 'out', amount: string, options: BookOptions): Promise<void> {
  const { reference, reason, json } = options
  if (options.by === BY_RECONCILIATION)
    throw usedWrongly(`malipo: ${options.by} is not a person: name who decides with --by`)
  const { booked, shown } = await withDatabase(async (context) => {
    const by = options.by ?? context.actor.name
    const { currency } = (await railAccountNamed(context, name)).railAccount
    const amountMinor = minorFromText(amount, currency)
    if (amountMinor === 0n) throw usedWrongly('malipo: the amount must be more than 0')
    const moved = { railAccount: name, currency, direction, amountMinor, reference, reason, by }
    const shown = formatMoney(money(amountMinor, currency))
    const what = { command: 'rail book', subject: name, reference, amount: money(amountMinor, currency) }
    const booked = await staffAction(
      context,
      what,
      options,
      addition(
        async (pool) => bookedOrRefused(moved, await bookMovement(pool, moved, context.clock.now())),
        ({ result }) => shownValues(result === 'booked' ? { movement: `${shown} ${direction}`, 'said by': by } : {}),
      ),
    )
    return { booked, shown }
  })
  const isBefore = booked.result === 'booked_before'
  if (json) return printJson({ railAccount: name, direction, amount: shown, reference, booked_before: isBefore })
  print(
    isBefore
      ? `${reference} was booked before, at ${shortTime(booked.at)} by ${printable(booked.by)}: ${printable(booked.reason)}. Nothing was booked now.`
      : `${shown} ${direction === 'in' ? 'more' : 'less'} is at ${name}. No wallet has changed.\nThe next comparison with the operator's own balance counts it: ${MALIPO} doctor`,
  )
}

/** @throws CliError if nothing was booked */
function bookedOrRefused(moved: OwnMovement, booked: MovementBooked): Exclude<MovementBooked, BookingRefusal> {
  if (booked.result === 'reference_used' || booked.result === 'open_exception')
    throw new CliError(`malipo: ${refusal(booked, moved)}\nNothing was booked.`)
  return booked
}

type BookingRefusal = Extract<MovementBooked, { result: 'reference_used' | 'open_exception' }>

function refusal(refused: BookingRefusal, { railAccount: name, reference, currency }: OwnMovement): string {
  if (refused.result === 'open_exception')
    return `the statement of ${name} has ${reference} already. Explain it there: ${MALIPO} reconcile end ${refused.exceptionId} --reason … --move-to outside`
  const { direction, amountMinor } = refused
  return `${reference} is the name of another movement at ${name}: ${formatMoney(money(amountMinor, currency))} ${direction}`
}
