import type { Contract } from '../../openapi/reading/contract.ts'
import { faultIf, type Fault, type Judge, type ObservedExchange } from './observed-exchange.ts'
import { allowedIn, HTTP_OWN, refusalHeaders } from './reply-headers/allowed-headers.ts'
import type { Rule } from './rule.ts'

/** Headers that mean something else on other statuses. */
const BY_STATUS: Readonly<Record<string, readonly number[]>> = { allow: [405], location: [301, 302, 303, 307, 308] }
/** Headers that disclose programs, on any reply. */
const DISCLOSING =
  /^(server|x-powered-by|x-aspnet(mvc)?-version|x-runtime|x-generator|x-debug.*|x-backend.*|server-timing)$/

/** A reply has the headers that the contract declares for it and those of HTTP, each once; no reply names a program. */
function replyHeaderJudge({ operations }: Contract): Judge {
  const ofRefusals = refusalHeaders(operations)
  return (seen) => {
    const { reply } = seen.exchange
    if (seen.direction === 'received') return []
    const allowed = allowedIn(seen, ofRefusals)
    return Object.entries(reply.headers).flatMap(([name, values = []]): readonly Fault[] => {
      if (DISCLOSING.test(name))
        return faultIf(true, `header ${name}`, `${replyOf(seen)} has a header ${name}, which names the program`)
      if (allowed === undefined) return []
      const isOwn = name in HTTP_OWN || BY_STATUS[name]?.includes(reply.status) === true
      if (!isOwn && !allowed.has(name))
        return faultIf(
          true,
          `header ${name}`,
          `${replyOf(seen)} has a header ${name}, which the contract does not declare for it`,
        )
      return faultIf(values.length > 1, `header ${name} twice`, `${replyOf(seen)} has ${values.length} headers ${name}`)
    })
  }
}

const replyOf = ({ exchange: { reply } }: ObservedExchange): string => `a reply ${reply.status}`

export const replyHeadersRule: Rule = {
  name: 'reply headers',
  reason:
    'A reply has the headers that the contract declares for it and those of HTTP, each once; none names the program.',
  plantedFault: 'stack-in-header',
  judging: ({ contract }) => ({ each: replyHeaderJudge(contract) }),
}
