import { bookOwnMovement } from '../operations/book-own-movement.ts'
import { railAccountNamed } from '../operations/rail-account-named.ts'
import { amountText } from '../../domain/money.ts'
import { minorFromText } from '../operations/amount.ts'
import { MALIPO } from './called-as.ts'
import { withDatabase } from './database.ts'
import { print, printable, printJson, shortTime } from './output.ts'
import { runChange } from './run-change.ts'
import type { StaffOptions } from './staff-action.ts'

interface BookOptions extends StaffOptions {
  readonly reference: string
  readonly by?: string
}

/** `rail book`: books what the owner of a rail account moved at the operator without Malipo. */
export async function book(name: string, direction: 'in' | 'out', text: string, options: BookOptions): Promise<void> {
  const { reference, reason, by, json } = options
  const booked = await withDatabase(async (context) => {
    const { currency } = (await railAccountNamed(context, name)).railAccount
    const amount = amountText(minorFromText(text, currency), currency)
    const input = { railAccount: name, direction, amount, reference, reason, by }
    return runChange(context, bookOwnMovement, input, options)
  })
  const amount = `${booked.amount} ${booked.currency}`
  if (json) return printJson({ railAccount: name, direction, amount, reference, booked_before: booked.booked_before })
  print(
    booked.booked_before
      ? `${reference} was booked before, at ${shortTime(new Date(booked.at ?? 0))} by ${printable(booked.by ?? '')}: ${printable(booked.reason ?? '')}. Nothing was booked now.`
      : `${amount} ${direction === 'in' ? 'more' : 'less'} is at ${name}. No wallet has changed.\nThe next comparison with the operator's own balance counts it: ${MALIPO} doctor`,
  )
}
