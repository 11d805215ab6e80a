import type { RailKnowledge, RailOrder } from '../../actions/ports/rail.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import { toldOf } from './calls.ts'
import type { Connected } from './connected.ts'
import { resultOfPrompt } from './result-codes.ts'
import { codeIn, reportableCode } from './result-fields.ts'
import { isContradicted } from './result-text.ts'
import { passwordAt } from './stk-push.ts'

/**
 * What became of a prompt: the query where its CheckoutRequestID is known, and the pulled transactions for what the query
 * does not tell. That an order is found in neither place never means that nothing moved.
 */
export async function askAboutPrompt(connected: Connected, order: RailOrder): Promise<RailKnowledge> {
  const byQuery = await query(connected, order)
  if (byQuery.knows !== 'unreachable' || !connected.pull) return byQuery
  const byPull = await connected.pull.find(order)
  return byPull.knows === 'unreachable' ? { ...byQuery, error: `${byQuery.error}; ${byPull.error}` } : byPull
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
  // 500.001.1001 comes for a known id too while it is in flight [observed], whatever the HTTP status: it is no answer yet.
  if (answer.got !== 'data') return unreachable(toldOf(answer))
  const said = (name: string): string | undefined => textOf(fieldAt(answer.data, name))
  const isAnother = (name: string, known: string | undefined): boolean =>
    known !== undefined && (said(name) ?? known) !== known
  if (isAnother('CheckoutRequestID', asked) || isAnother('MerchantRequestID', order.theirs['MerchantRequestID']))
    return unreachable('M-PESA answered about another prompt')
  if ((codeIn(fieldAt(answer.data, 'ResponseCode')) ?? '0') !== '0') return unreachable('M-PESA did not take the query')
  return knowledgeOf(codeIn(fieldAt(answer.data, 'ResultCode')), fieldAt(answer.data, 'ResultDesc'))
}

function knowledgeOf(code: string | undefined, resultDesc: unknown): RailKnowledge {
  if (code === undefined) return unreachable('M-PESA answered without a result')
  const { outcome, isKnown } = resultOfPrompt(code)
  if (!isKnown) {
    const unmappedCode = reportableCode(code)
    return { ...unreachable(`M-PESA answered ${unmappedCode}, which means nothing we know`), unmappedCode }
  }
  if (!outcome) return { knows: 'in_progress' }
  return isContradicted(outcome, resultDesc)
    ? unreachable(`M-PESA answered ${code}, and its text says the opposite`)
    : { knows: 'outcome', outcome }
}

const unreachable = (error: string) => ({ knows: 'unreachable', error }) as const
