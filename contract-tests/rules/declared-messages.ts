import type { Contract } from '../../openapi/reading/contract.ts'
import { compilerOf } from '../../openapi/reading/validators.ts'
import { callbackKind } from './callback-kind.ts'
import { bodyFaults, parameterFaults, undeclaredFaults } from './declared-messages/faults.ts'
import { faultIf, type Judge } from './observed-exchange.ts'
import { isVisit, PAYMENT_PAGE, queryOf, waysOut } from './pages.ts'
import type { Rule } from './rule.ts'

/** A callback, a handshake and a redirect have the method, headers, query and body that the contract declares, and no others. */
function declaredMessageJudge(contract: Contract): Judge {
  // With the discriminator, the one error is that of the event that the message has.
  const compile = compilerOf(contract.document, { discriminator: true })
  const messages = contract.operations.filter(({ kind }) => kind === 'message')
  const redirect = contract.operations.find(({ kind }) => kind === 'redirect')
  return (seen) => {
    const { direction, exchange, path } = seen
    const { request, reply } = exchange
    if (direction === 'asked' && !PAYMENT_PAGE.test(path)) return []
    if (direction === 'asked' || isVisit(seen)) {
      const addresses = direction === 'received' ? [request.path] : waysOut(reply)
      return addresses.flatMap((address) => {
        const query = queryOf(address)
        return redirect && query.has('transaction_status') ? parameterFaults(contract, redirect, query, {}) : []
      })
    }
    const declared = messages.filter(({ method }) => method === request.method)
    const kind = callbackKind(seen.requestBody)
    const message = declared.find(({ id }) => id === kind) ?? declared[0]
    if (!message)
      return faultIf(true, 'sent method', `a message to the merchant came by ${request.method}`, 'callbacks')
    const query = new URLSearchParams(seen.query)
    return [
      ...parameterFaults(contract, message, query, request.headers),
      ...undeclaredFaults(message, query, request.headers),
      ...bodyFaults(compile, message, seen),
    ]
  }
}

export const declaredMessagesRule: Rule = {
  name: 'declared messages',
  reason:
    'A message to the merchant has the method, headers, query and body that the contract declares for it, and no others.',
  plantedFault: 'field-missing',
  judging: ({ contract }) => ({ each: declaredMessageJudge(contract) }),
}
