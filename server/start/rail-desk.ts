import type { Rail } from '../actions/ports/rail.ts'
import { statementLines } from '../admin/operations/operator-access.ts'
import type { RailDesk } from '../admin/operations/rail-desk.ts'
import { NoAnswer, NotSent } from '../rails/operator-errors.ts'
import type { Pool } from '../storage/pool.ts'
import type { LiveReferenceData } from '../storage/reference-data.ts'
import type { LiveRailAccounts } from './rail-accounts.ts'
import { compareBalance } from './rail-balances.ts'

/** What people see of the connections of this process. @param railAccounts undefined until the rails are connected */
export function createRailDesk(
  pool: Pool,
  reference: Pick<LiveReferenceData, 'railAccounts'>,
  railAccounts: () => Pick<LiveRailAccounts, 'connection' | 'faultOf' | 'faultOfSettings'> | undefined,
  traitsOf: Rail['traitsOf'],
): RailDesk {
  const connection = (name: string) => railAccounts()?.connection(name)
  return {
    state(name) {
      const railAccount = reference.railAccounts().get(name)
      if (!railAccount) return undefined
      const connected = connection(name)
      return {
        circuit: connected?.circuit.state().state,
        fault: connected ? undefined : railAccounts()?.faultOf(name),
        downSince: railAccount.downSince,
      }
    },
    refundTraits: async (route) => traitsOf({ ...route, type: 'COLLECTION' }).refund,
    faultOf: async (kind, railAccount) => railAccounts()?.faultOfSettings(kind, railAccount),
    async statement({ railAccount: { name } }, from, until) {
      const connected = connection(name)
      if (!connected) throw new NotSent('it is not connected here')
      return statementLines(connected.adapter, from, until)
    },
    async check(name, account) {
      const connected = connection(name)
      if (!connected) return undefined
      const rows = await connected.adapter.check(account === undefined ? {} : { account })
      return { rows, callbackUrl: connected.callbackBase() }
    },
    async balance(name) {
      const connected = connection(name)
      if (!connected) return undefined
      return compareBalance(pool, connected.railAccount, connected.adapter).catch((error: unknown) => {
        if (error instanceof NotSent || error instanceof NoAnswer) return undefined
        throw error
      })
    },
  }
}
