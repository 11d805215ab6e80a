import type { RailKnowledge, RailOrder } from '../../actions/ports/rail.ts'
import { toldOf } from './calls.ts'
import type { Connected } from './connected.ts'
import { outcomeOfPrompt, RESULTS_OF_PROMPTS } from './result-codes.ts'
import { passwordAt } from './stk-push.ts'

/**
 * What became of a prompt: the query where its CheckoutRequestID is known, and the pulled transactions for what the query
 * does not tell. That an order is found in neither place never means that nothing moved.
 */
export async function askAboutPrompt(connected: Connected, order: RailOrder): Promise<RailKnowledge> {
  const byQuery = await query(connected, order)
  if (byQuery.knows !== 'unreachable' || !connected.pull) return byQuery
  const byPull = await connected.pull.find(order)
  return byPull.knows === 'unreachable' ? { knows: 'unreachable', error: `${byQuery.error}; ${byPull.error}` } : byPull
}

async function query({ installation, world, calls }: Connected, order: RailOrder): Promise<RailKnowledge> {
  const { shortCode, collections } = installation
  const asked = order.theirs['CheckoutRequestID']
  if (asked === undefined) return unreachable('the answer to the prompt was lost, so there is no id to ask by')
  if (!collections) return unreachable('this installation has no passkey, so it cannot ask')
  const answer = await calls.stkQuery(order.orderId, {
    ...passwordAt(shortCode, collections, world.clock.now()),
    CheckoutRequestID: asked,
  })
  // HTTP 500 with 500.001.1001 comes for a known id too while it is in flight [observed]: it is no answer.
  if (answer.got !== 'data') return unreachable(toldOf(answer))
  const { ResponseCode = '0', CheckoutRequestID = asked, ResultCode } = answer.data
  if (CheckoutRequestID !== asked) return unreachable('M-PESA answered about another prompt')
  const code = String(ResultCode)
  if (String(ResponseCode) !== '0') return unreachable(`M-PESA did not take the query (${ResponseCode})`)
  const outcome = outcomeOfPrompt(code)
  if (outcome) return { knows: 'outcome', outcome }
  const isInFlight = Object.hasOwn(RESULTS_OF_PROMPTS, code)
  return isInFlight ? { knows: 'in_progress' } : unreachable(`M-PESA answered ${code}, which means nothing we know`)
}

const unreachable = (error: string) => ({ knows: 'unreachable', error }) as const
