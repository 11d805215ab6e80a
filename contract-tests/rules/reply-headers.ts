import type { Contract, Operation } from '../../openapi/reading/contract.ts'
import { OF_REPLIES } from './http-headers.ts'
import { faultIf, type Judge, type ObservedExchange } from './observed-exchange.ts'
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
    const { direction, exchange } = seen
    const { status, headers } = exchange.reply
    if (direction === 'received') return []
    const allowed = allowedIn(seen, ofRefusals)
    return Object.entries(headers).flatMap(([name, values = []]) => {
      const fault = (what: string) => faultIf(true, `header ${name}`, `a reply ${status} has a header ${name}, ${what}`)
      if (DISCLOSING.test(name)) return fault('which names the program')
      if (allowed === undefined) return []
      const isOwn = name in OF_REPLIES || BY_STATUS[name]?.includes(status) === true
      if (!isOwn && !allowed.has(name)) return fault('which the contract does not declare for it')
      return faultIf(
        values.length > 1,
        `header ${name} twice`,
        `a reply ${status} has ${values.length} headers ${name}`,
      )
    })
  }
}

/** Undefined: pages and files, whose headers the contract does not declare. */
function allowedIn({ operation, response, replyBody, exchange }: ObservedExchange, ofRefusals: ReadonlySet<string>) {
  if (operation) return response ? new Set(response.headers.map(({ name }) => name.toLowerCase())) : ofRefusals
  // A reply outside of all operations has the envelope of the refusals, and nothing else.
  return exchange.reply.status >= 400 && typeof replyBody === 'object' ? ofRefusals : undefined
}

/** Headers of every refusal of the contract, and those about a limit. */
function refusalHeaders(operations: readonly Operation[]): ReadonlySet<string> {
  const refusals = operations
    .flatMap(({ responses }) => responses)
    .filter(({ status }) => /^(4|5)/.test(status) && status !== '401')
  return new Set(refusals.flatMap(({ headers }) => headers.map(({ name }) => name.toLowerCase())))
}

export const replyHeadersRule: Rule = {
  name: 'reply headers',
  reason:
    'A reply has the headers that the contract declares for it and those of HTTP, each once; none names the program.',
  plantedFault: 'stack-in-header',
  judging: ({ contract }) => ({ each: replyHeaderJudge(contract) }),
}
