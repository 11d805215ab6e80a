import { PAYOUT_RESULTS, type DarajaHandlers } from './contract.ts'
import { compactTime } from './nairobi-time.ts'
import { INITIATOR_UNKNOWN } from './payout-results.ts'
import type { PayoutDeps } from './payouts.ts'
import { withCents } from './pull.ts'
import { queued, resultBody } from './results.ts'
import { isInitiator, OPENING_BALANCES, SIMULATED_MERCHANT } from './simulated-merchant.ts'

/** How long a question stays in the queue, in milliseconds. */
const ANSWERED_AFTER_MS = 2_000

/** What a short code holds, told by message. Here a short code holds all in one account. */
export function balanceHandlers({
  world,
  conversations,
  refuse,
  send,
}: PayoutDeps): Pick<DarajaHandlers, 'queryBalance'> {
  return {
    queryBalance({ body: { Initiator, SecurityCredential, PartyA, ResultURL }, quirk }) {
      if (!(PartyA in OPENING_BALANCES)) return refuse('400.002.02', 'Invalid PartyA: it is not ours')
      const ids = conversations.newIds()
      const isKnown = isInitiator(Initiator, SecurityCredential)
      if (quirk('result_lost') === undefined)
        world.clock.after(ANSWERED_AFTER_MS, () => {
          const code = isKnown ? '0' : INITIATOR_UNKNOWN
          const parameters = {
            AccountBalance: accountsOf(PartyA, world.accounts.balanceOf(PartyA)),
            BOCompletedTime: Number(compactTime(world.clock.now())),
          }
          const text = PAYOUT_RESULTS[code] ?? ''
          const result = resultBody({ ...ids, code, text, ...(isKnown && { parameters }) })
          send({ operations: { POST: 'accountBalanceResult' }, url: ResultURL, body: result })
        })
      return queued(ids)
    },
  }
}

/** One that only pays out holds it in its utility account, every other one in its working account. */
function accountsOf(shortCode: string, balance: string): string {
  const [full, none] = [withCents(balance), withCents('0')]
  const held = `KES|${full}|${full}|${none}|${none}`
  const nothing = `KES|${none}|${none}|${none}|${none}`
  return shortCode === SIMULATED_MERCHANT.payoutShortCode
    ? `Working Account|${nothing}&Utility Account|${held}`
    : `Working Account|${held}&Charges Paid Account|${nothing}`
}
