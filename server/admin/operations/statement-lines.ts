import { expectedFee } from '../../domain/operator-fee.ts'
import type { StatementLine } from '../../domain/statement-line.ts'
import type { RailKind } from '../../rails/rail-kind.ts'
import { withDefaults } from '../../rails/settings.ts'
import { statementFormat, type StatementFormat } from '../../statements/format.ts'
import type { UnclearEntry } from '../../statements/reading.ts'
import { timeReader } from '../../statements/time.ts'
import type { NewStatementLine } from '../queries/statements/import.ts'
import type { RailAccountView } from '../queries/rail-accounts.ts'
import { OperationRefusal } from './operation.ts'

/** The format of a rail account's statements. @throws OperationRefusal that names the invalid setting */
export function formatOf({ railAccount, kind }: { railAccount: RailAccountView; kind: RailKind }): StatementFormat {
  try {
    return statementFormat(withDefaults(kind, railAccount.settings), railAccount.currency)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new OperationRefusal(
      'invalid',
      `the setting ${error.message}`,
      `Change it: malipo rail set ${railAccount.name} --set <name>=<value> --reason <text>`,
    )
  }
}

/** Order ids are lower case; Airtel gets them without hyphens. */
const orderIdIn = (text: string): string =>
  text.toLowerCase().replace(/^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/, '$1-$2-$3-$4-$5')

/** Position of a line. */
export interface LinePlace extends Pick<NewStatementLine, 'source' | 'account' | 'periodFrom' | 'periodTo'> {
  readonly lineNumber: number
}

/** The position of everything that names no statement. */
export const NO_STATEMENT = { source: 0, account: '' } as const

/** Converts lines and entries to the form in which they are stored. */
export function lineStorer(kind: RailKind, { fees, timeZone }: StatementFormat, now: Date) {
  const dayAt = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  const timeOf = timeReader('ymd', timeZone)
  // Payer references are upper case; people and portals write both in any case.
  const ours = (text: string | undefined) =>
    text === undefined ? {} : { ourReference: kind.statement?.ourReference ? text.toUpperCase() : orderIdIn(text) }
  const placed = ({ lineNumber, ...place }: LinePlace) => ({ ...place, lineNumber: BigInt(lineNumber) })
  return {
    /** A line with its expected fee. @param line without a booking day and a time of its own its day is unknown */
    line(
      { reference, ourReference, at, bookedOn, direction, amount, fee }: StatementLine,
      place: LinePlace,
      { isTimed }: { readonly isTimed: boolean },
    ): NewStatementLine {
      const expected = amount.amountMinor > 0n ? expectedFee(fees[direction], amount.amountMinor) : undefined
      const day = bookedOn ?? (isTimed ? dayAt.format(at) : undefined)
      return {
        ...placed(place),
        reference,
        ...ours(ourReference),
        ...(day !== undefined && { bookedOn: day }),
        at,
        direction,
        amountMinor: amount.amountMinor,
        feeMinor: fee?.amountMinor ?? 0n,
        ...(expected !== undefined && { expectedFeeMinor: expected }),
      }
    },
    /** An entry that can be read only in part. */
    unclear({ reference, ourReference, bookedOn, direction, amount, why }: UnclearEntry, place: LinePlace) {
      const day = bookedOn === undefined ? undefined : timeOf(bookedOn)?.at
      return {
        ...placed(place),
        reference: reference ?? '',
        ...ours(ourReference),
        ...(day && { bookedOn }),
        at: day ?? now,
        ...(direction && { direction }),
        ...(amount && { amountMinor: amount.amountMinor }),
        feeMinor: 0n,
        doubt: 'unclear',
        note: why,
      } satisfies NewStatementLine as NewStatementLine
    },
    /** An entry that reports a reversal of another one; it is stored if that one is known. */
    reversal(reference: string, reason: string, place: LinePlace): NewStatementLine {
      return {
        ...placed(place),
        reference,
        at: now,
        feeMinor: 0n,
        doubt: 'unclear',
        note: `is ${reason}, and its money was read as moved before`,
        isReversal: true,
      }
    },
  }
}
