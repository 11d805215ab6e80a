import type { RailKnowledge, RailOrder } from '../../actions/ports/rail.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import type { RailWorld } from '../rail-kind.ts'
import { reportedOf } from './calls.ts'
import type { DarajaConnection } from './connected.ts'
import { resultOfPrompt } from './result-codes.ts'
import { codeIn, reportableCode } from './result-fields.ts'
import { isContradicted } from './result-text.ts'
import { passwordAt } from './stk-push.ts'

/**
 * Determines the outcome of a prompt: by the query where its CheckoutRequestID is known, and by the pulled
 * transactions for what the query does not return. An order that is found in neither place may still have moved money.
 */
export async function queryAboutPrompt(connected: DarajaConnection, order: RailOrder): Promise<RailKnowledge> {
  const byQuery = await query(connected, order)
  if (byQuery.knows !== 'unreachable' || !connected.pull) return byQuery
  const byPull = await connected.pull.find(order)
  return byPull.knows === 'unreachable' ? { ...byQuery, error: `${byQuery.error}; ${byPull.error}` } : byPull
}

async function query({ railAccount, world, calls }: DarajaConnection, order: RailOrder): Promise<RailKnowledge> {
  const { shortCode, collections } = railAccount
  const queried = order.externalIds['CheckoutRequestID']
  if (queried === undefined) return unreachable('the reply to the prompt was lost, so there is no id to query by')
  if (!collections) return unreachable('this rail account has no passkey, so it cannot query')
  const answer = await calls.stkQuery(order.orderId, {
    ...passwordAt(shortCode, collections, world.clock.now()),
    CheckoutRequestID: queried,
  })
  // 500.001.1001 also comes for a known id while it is in flight [observed], whatever the HTTP status: it is not a result yet.
  if (answer.got !== 'data') return unreachable(reportedOf(answer))
  const said = (name: string): string | undefined => textOf(fieldAt(answer.data, name))
  const isAnother = (name: string, known: string | undefined): boolean =>
    known !== undefined && (said(name) ?? known) !== known
  if (isAnother('CheckoutRequestID', queried) || isAnother('MerchantRequestID', order.externalIds['MerchantRequestID']))
    return unreachable('M-PESA answered about another prompt')
  if ((codeIn(fieldAt(answer.data, 'ResponseCode')) ?? '0') !== '0') return unreachable('M-PESA did not take the query')
  return knowledgeOf(
    codeIn(fieldAt(answer.data, 'ResultCode')),
    fieldAt(answer.data, 'ResultDesc'),
    railAccount.failureCodes,
  )
}

function knowledgeOf(code: string | undefined, resultDesc: unknown, own: RailWorld['failureCodes']): RailKnowledge {
  if (code === undefined) return unreachable('M-PESA answered without a result')
  const { outcome, isKnown } = resultOfPrompt(code, own)
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
