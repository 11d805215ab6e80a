import { MALIPO } from './called-as.ts'
import { amountToWire, formatMoney } from '../../domain/money.ts'
import { NoAnswer, NotSent } from '../../rails/operator-errors.ts'
import { compareBalance, type BalanceCompared } from '../../start/rail-balances.ts'
import { withDatabase } from './database.ts'
import { CliError } from './errors.ts'
import { note, printFields, printJson } from './output.ts'
import { queriedHere } from './rail-connected.ts'
import { railAccountNamed } from '../operations/rail-account-named.ts'

/** `rail balance`: compares the balance that the operator reports now with our ledger. Stores nothing. */
export async function balance(name: string, { json }: { json?: true }): Promise<void> {
  const { compared, currency, title, isByMessage } = await withDatabase(async (context) => {
    const installed = await railAccountNamed(context, name)
    const queried = await queriedHere(context, installed, async ({ railAccount, adapter }) => ({
      compared: await compareBalance(context.pool, railAccount, adapter).catch(inTheirWords(name)),
      isByMessage: adapter.askBalances !== undefined,
    }))
    return { ...queried, currency: installed.railAccount.currency, title: installed.kind.title }
  })
  if (json) return printJson({ rail_account: name, currency, ...toRecord(compared, currency) })
  printFields([['rail account', name], ...fieldsOf(compared, currency)])
  if (isByMessage)
    note(`${title} tells its balance by a message: servers compare it, and ${MALIPO} doctor says where it differs.`)
  else if (!compared.comparison) note(`${title} reports no balance in ${currency}: there is nothing to compare.`)
}

const inTheirWords =
  (name: string) =>
  (error: unknown): never => {
    if (error instanceof NotSent || error instanceof NoAnswer)
      throw new CliError(
        `malipo: ${name} reported no balance: ${error.message}\nCheck its credentials: ${MALIPO} rail check ${name}`,
      )
    throw error
  }

const differenceOf = ({ operatorMinor, openingMinor, ledgerMinor }: NonNullable<BalanceCompared['comparison']>) =>
  operatorMinor - openingMinor - ledgerMinor

function fieldsOf({ accounts, booked, comparison }: BalanceCompared, currency: string) {
  const shown = (amountMinor: bigint): string => formatMoney({ amountMinor, currency })
  const each = accounts.map(({ account, available }) => `${account} ${formatMoney(available)}`).join(', ')
  return [
    ['at the operator', comparison && `${shown(comparison.operatorMinor)} (${each})`],
    ['before Malipo', comparison && shown(comparison.openingMinor)],
    ['in our ledger', shown(booked.ledgerMinor)],
    ['difference', comparison && shown(differenceOf(comparison))],
    ['on the way', `${shown(booked.openInMinor)} in, ${shown(booked.openOutMinor)} out`],
    ['unexplained', comparison && shown(comparison.unexplainedMinor)],
  ] as const
}

/** Amounts in major units, as in all output. */
function toRecord({ accounts, booked, comparison }: BalanceCompared, currency: string) {
  const wire = (amountMinor: bigint): number => amountToWire(amountMinor, currency)
  return {
    accounts: accounts.map(({ account, available }) => ({ account, available: wire(available.amountMinor) })),
    operator: comparison ? wire(comparison.operatorMinor) : null,
    opening: comparison ? wire(comparison.openingMinor) : null,
    ledger: wire(booked.ledgerMinor),
    difference: comparison ? wire(differenceOf(comparison)) : null,
    open_in: wire(booked.openInMinor),
    open_out: wire(booked.openOutMinor),
    unexplained: comparison ? wire(comparison.unexplainedMinor) : null,
  }
}
