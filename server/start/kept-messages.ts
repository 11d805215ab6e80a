import type { Clock } from '../actions/ports/clock.ts'
import type { ExchangeRecord } from '../actions/ports/operator-exchanges.ts'
import type { CallbackResult, KeepMessage } from '../actions/ports/rail-callbacks.ts'
import { tokensIn } from '../domain/callback-tokens.ts'
import type { Installation } from '../domain/installation.ts'
import { operatorCallbackPath } from '../http/operator-callbacks.ts'
import { maskTold } from '../rails/exchange/mask-exchange.ts'
import type { RailKind } from '../rails/rail-kind.ts'
import { secretsOf } from './connect-installation.ts'

/** What support has to explain: it changed nothing. */
const FAULTS: ReadonlySet<CallbackResult> = new Set(['unreadable', 'mismatch', 'unconfirmed'])

/**
 * Keeps what operators told by themselves beside what was said with them, masked, and as long: `rail log` shows both in
 * their order. Above all what could not be read or did not fit: nobody can ask the operator what it meant without it.
 */
export const createMessageKeeping =
  (
    kinds: readonly RailKind[],
    installations: () => ReadonlyMap<string, Installation>,
    record: ExchangeRecord,
    clock: Clock,
  ): KeepMessage =>
  ({ installation: name, orderId, method, tail, body }, { result, detail }) => {
    const installation = installations().get(name)
    const kind = kinds.find(({ name: known }) => known === installation?.rail)
    const at = clock.now()
    const secrets = installation
      ? [
          ...tokensIn(body, installation.callbackKeys, { installation: name, orderId }, at),
          ...(kind ? secretsOf(kind, installation.settings) : []),
        ]
      : []
    record.add({
      installation: name,
      purpose: 'callback',
      orderId,
      at,
      durationMs: 0,
      method,
      path: operatorCallbackPath(name, '***', orderId, tail),
      request: '',
      reply: maskTold(body, secrets),
      ...(FAULTS.has(result) && { error: detail }),
    })
  }
