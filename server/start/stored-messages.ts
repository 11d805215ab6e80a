import type { Clock } from '../actions/ports/clock.ts'
import type { ExchangeRecord } from '../actions/ports/operator-exchanges.ts'
import type { KeepMessage, MessageConclusion } from '../actions/ports/rail-callbacks.ts'
import { tokensIn } from '../domain/callback-tokens.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import { operatorCallbackPath } from '../http/operator-callbacks.ts'
import { maskReported } from '../rails/exchange/mask-exchange.ts'
import type { RailKind } from '../rails/rail-kind.ts'
import { secretsOf } from './connect-rail-account.ts'

/** Results that support has to explain: the message changed nothing. */
const FAULTS: ReadonlySet<MessageConclusion['result']> = new Set([
  'unreadable',
  'mismatch',
  'unconfirmed',
  'unknown_order',
  'unasked',
])

/**
 * Stores unsolicited operator messages together with the recorded calls, masked, and for as long: `rail log` shows
 * both in order. This matters most for messages that were unreadable or did not match: without the text nobody can ask
 * the operator what it meant.
 */
export const createMessageKeeping =
  (
    kinds: readonly RailKind[],
    railAccounts: () => ReadonlyMap<string, RailAccount>,
    record: ExchangeRecord,
    clock: Clock,
  ): KeepMessage =>
  ({ railAccount: name, orderId, method, tail, body }, { result, detail }) => {
    const railAccount = railAccounts().get(name)
    const kind = kinds.find(({ name: known }) => known === railAccount?.rail)
    const at = clock.now()
    const secrets = railAccount
      ? [
          ...tokensIn(body, railAccount.callbackKeys, { railAccount: name, orderId }, at),
          ...(kind ? secretsOf(kind, railAccount.settings) : []),
        ]
      : []
    record.add({
      railAccount: name,
      purpose: 'callback',
      orderId,
      at,
      durationMs: 0,
      method,
      path: operatorCallbackPath(name, '***', orderId, tail),
      request: '',
      reply: maskReported(body, secrets),
      ...(FAULTS.has(result) && { error: detail }),
    })
  }
