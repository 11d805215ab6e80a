import { createAccounts, type Accounts } from './accounts.ts'
import type { Chance } from './chance.ts'
import type { Clock } from './clock.ts'
import { NO_JOURNAL, type Journal } from './journal.ts'
import { createExchanges, type Exchanges } from './exchanges.ts'
import { createOrders, type Orders } from './orders.ts'
import { createPhones, type Phones } from './phones.ts'
import { createStatement, type Statement } from './statement.ts'

/** The state of a running simulator. It lives in memory; what outlives the process is in the journal. */
export interface OperatorState {
  readonly clock: Clock
  readonly chance: Chance
  readonly accounts: Accounts
  readonly orders: Orders
  readonly phones: Phones
  readonly statement: Statement
  readonly exchanges: Exchanges
  readonly journal: Journal
}

export const createWorld = (
  clock: Clock,
  chance: Chance,
  opening: Readonly<Record<string, string>>,
  journal: Journal = NO_JOURNAL,
): OperatorState => ({
  journal,
  clock,
  chance,
  accounts: createAccounts(opening),
  orders: createOrders(),
  phones: createPhones(),
  statement: createStatement(),
  exchanges: createExchanges(),
})
