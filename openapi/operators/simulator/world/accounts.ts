import { fromUnits, toUnits } from './decimal.ts'

/** Balances of the merchant's accounts at the operator, and of customers whose balance was set. */
export interface Accounts {
  /** In main units. @throws Error for an account that the operator does not have */
  balanceOf(account: string): string
  all(): Readonly<Record<string, string>>
  /** `undefined`: unlimited. */
  customerBalance(msisdn: string): string | undefined
  setCustomerBalance(msisdn: string, balance: string): void
  setBalance(account: string, balance: string): void
  /** @param change in main units, negative for a debit */
  change(account: string, change: string): void
  /**
   * Moves money between a customer and an account of the merchant.
   * @returns false when the payer has too little; nothing has moved then
   */
  move(movement: Movement): boolean
}

interface Movement {
  readonly direction: 'in' | 'out'
  readonly account: string
  readonly msisdn: string
  readonly amount: string
}

export function createAccounts(opening: Readonly<Record<string, string>>): Accounts {
  const accounts = new Map(Object.entries(opening).map(([name, balance]) => [name, toUnits(balance)]))
  const customers = new Map<string, bigint>()

  const unitsOf = (account: string): bigint => {
    const units = accounts.get(account)
    if (units === undefined) throw new Error(`there is no account ${account}`)
    return units
  }

  return {
    balanceOf: (account) => fromUnits(unitsOf(account)),
    all: () => Object.fromEntries([...accounts].map(([name, units]) => [name, fromUnits(units)])),
    customerBalance(msisdn) {
      const units = customers.get(msisdn)
      return units === undefined ? undefined : fromUnits(units)
    },
    setCustomerBalance: (msisdn, balance) => void customers.set(msisdn, toUnits(balance)),
    setBalance(account, balance) {
      unitsOf(account)
      accounts.set(account, toUnits(balance))
    },
    change: (account, change) => void accounts.set(account, unitsOf(account) + toUnits(change)),
    move({ direction, account, msisdn, amount }) {
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
