import { expectedFee } from '../domain/operator-fee.ts'
import type { StatementLine } from '../domain/statement-line.ts'
import type { RailKind } from '../rails/rail-kind.ts'
import { withDefaults } from '../rails/settings.ts'
import { statementFormat, type StatementFormat } from '../statements/format.ts'
import type { NewStatementLine } from '../storage/operators/statements/import.ts'
import type { InstallationView } from '../storage/operators/rail-installations.ts'
import { MALIPO } from './called-as.ts'
import { usedWrongly } from './errors.ts'

/** How an installation's statements are written. @throws CliError naming the setting that cannot be used */
export function formatOf({ installation, kind }: { installation: InstallationView; kind: RailKind }): StatementFormat {
  try {
    return statementFormat(withDefaults(kind, installation.settings), installation.currency)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw usedWrongly(
      `malipo: the setting ${error.message}.\nChange it: ${MALIPO} rail set ${installation.name} --set <name>=<value>`,
    )
  }
}

/** A line as it is stored: with the fee that it should have, and our name of it as we write it. */
export function toStored(
  { reference, ourReference, at, direction, amount, fee }: StatementLine,
  lineNumber: number,
  kind: RailKind,
  { fees }: StatementFormat,
): NewStatementLine {
  const expected = amount.amountMinor > 0n ? expectedFee(fees[direction], amount.amountMinor) : undefined
  return {
    lineNumber: BigInt(lineNumber),
    reference,
    // Order ids are written in lower case, what stands for them in upper case; people and portals write them as they like.
    ...(ourReference !== undefined && {
      ourReference: kind.statement?.ours ? ourReference.toUpperCase() : ourReference.toLowerCase(),
    }),
    at,
    direction,
    amountMinor: amount.amountMinor,
    feeMinor: fee?.amountMinor ?? 0n,
    ...(expected !== undefined && { expectedFeeMinor: expected }),
  }
}
