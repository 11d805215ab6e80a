import { fromUnits, toUnits } from './decimal.ts'

/** Balances of the merchant's accounts at the operator, and of customers whose balance was set. */
export type Accounts = ReturnType<typeof createAccounts>

interface Movement {
  readonly direction: 'in' | 'out'
  readonly account: string
  readonly msisdn: string
  readonly amount: string
}

export function createAccounts(opening: Readonly<Record<string, string>>) {
  const accounts = new Map(Object.entries(opening).map(([name, balance]) => [name, toUnits(balance)]))
  const customers = new Map<string, bigint>()

  const unitsOf = (account: string): bigint => {
    const units = accounts.get(account)
    if (units === undefined) throw new Error(`there is no account ${account}`)
    return units
  }

  return {
    /** In main units. @throws Error for an account that the operator does not have */
    balanceOf: (account: string): string => fromUnits(unitsOf(account)),
    all: (): Readonly<Record<string, string>> =>
      Object.fromEntries([...accounts].map(([name, units]) => [name, fromUnits(units)])),
    /** `undefined`: unlimited. */
    customerBalance(msisdn: string): string | undefined {
      const units = customers.get(msisdn)
      return units === undefined ? undefined : fromUnits(units)
    },
    setCustomerBalance: (msisdn: string, balance: string): void => void customers.set(msisdn, toUnits(balance)),
    setBalance(account: string, balance: string): void {
      unitsOf(account)
      accounts.set(account, toUnits(balance))
    },
    /** @param change in main units, negative for a debit */
    change: (account: string, change: string): void => void accounts.set(account, unitsOf(account) + toUnits(change)),
    /**
     * Moves money between a customer and an account of the merchant.
     * @returns false when the payer has too little; nothing has moved then
     */
    move({ direction, account, msisdn, amount }: Movement): boolean {
      const units = toUnits(amount)
      const ours = unitsOf(account)
      const others = customers.get(msisdn)
      const paid = direction === 'in' ? others : ours
      if (paid !== undefined && paid < units) return false
      const change = direction === 'in' ? units : -units
      accounts.set(account, ours + change)
      if (others !== undefined) customers.set(msisdn, others - change)
      return true
    },
  }
}
